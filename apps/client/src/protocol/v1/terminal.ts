import type { Terminal } from "#runtime";

import { TerminalView } from "../terminal-view.ts";

/** Shows a command that the agent runs in a terminal of this client. */
export function watchTerminal(terminal: Terminal): TerminalView {
  const view = new TerminalView([terminal.command, ...terminal.args].join(" "));
  terminal.onOutput((bytes) => view.push(bytes));
  void terminal.exited.then((exit) => view.end(exit));
  return view;
}
