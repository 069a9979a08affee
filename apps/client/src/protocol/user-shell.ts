import { terminals, type Terminal } from "#runtime";
import { describeExit, terminalLines, textOf } from "@acp/render";

import { watchTerminal, type TerminalView } from "./terminal-view.ts";

/** How much of the output is kept for a prompt, in bytes. */
const outputByteLimit = 64 * 1024;

/** A command line that the user runs. */
export interface ShellRun {
  readonly id: string;
  readonly view: TerminalView;
  /** Settles when it has ended, and all of its output came. */
  readonly exited: Promise<unknown>;
  /** The output with its command, as a part of a prompt; `undefined` if there was none. */
  block(): string | undefined;
}

/**
 * Runs a line in the user's shell, without an input, in a process group of its own, which ends with `signal` and with this
 * program.
 *
 * @throws if the shell cannot be started.
 */
export async function runInShell(line: string, cwd: string, signal: AbortSignal): Promise<ShellRun> {
  const shell = process.env["SHELL"] ?? "";
  let run: ShellRun | undefined;
  const onCreate = (terminal: Terminal): void => {
    const { id, exited } = terminal;
    run = { id, exited, view: watchTerminal(terminal, `! ${line}`), block: () => blockOf(line, terminal) };
  };
  // Without a name of a shell, that of the system runs what has no arguments.
  const params = shell === "" ? { command: line } : { command: shell, args: ["-c", line] };
  const session = { id: "user", cwd, additionalDirectories: [], signal };
  const handlers = terminals({ outputByteLimit, shell: true, onCreate });
  await handlers["terminal/create"]({ sessionId: session.id, ...params }, { session, signal });
  if (run === undefined) throw new Error(`${line} did not start`);
  return run;
}

function blockOf(line: string, { output, exit }: Pick<Terminal, "output" | "exit">): string | undefined {
  const { output: text, truncated } = output();
  const lines = terminalLines(text, Infinity).map(textOf);
  if (lines.length === 0) return undefined;
  const ticks = lines.flatMap((one) => one.match(/`{3,}/gu) ?? []).map(({ length }) => length + 1);
  const fence = "`".repeat(Math.max(3, ...ticks));
  const end = exit === undefined ? "" : ` (${describeExit(exit)}${truncated ? ", without its beginning" : ""})`;
  return `Output of \`${line}\`${end}:\n${fence}\n${lines.join("\n")}\n${fence}\n`;
}
