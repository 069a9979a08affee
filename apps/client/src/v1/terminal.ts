import type { Terminal } from "#runtime";

import { TerminalView } from "../transcript/terminal-view.ts";

/** A command that the agent runs here, to be shown. */
export function watchTerminal(terminal: Terminal): TerminalView {
  const view = new TerminalView([terminal.command, ...terminal.args].join(" "));
  terminal.onOutput((bytes) => view.push(bytes));
  void terminal.exited.then((exit) => view.end(exit));
  return view;
}
