import { printableLine } from "../text/printable.ts";
import type { ShownCall, TerminalExit } from "../shown.ts";

/** How a tool call ended, in the same words for every view. */
export interface CallEnd {
  readonly status: "completed" | "failed" | "cancelled";
  readonly mark: "✓" | "✗" | "■";
  readonly format: "green" | "yellow" | "red";
  /** Whether the tool has failed, whatever the agent calls it: it may have wanted just that. */
  readonly hasFailed: boolean;
  /** How its command ended, if the agent or a terminal says so; else empty. */
  readonly note: string;
}

/** How a call ended; `undefined` while it runs. `exitOf` finds the exit of a terminal, which counts more than the output. */
export function endOf(
  { status, content, output }: Pick<ShownCall, "status" | "content" | "output">,
  exitOf: (terminalId: string) => TerminalExit | undefined,
): CallEnd | undefined {
  if (status !== "completed" && status !== "failed" && status !== "cancelled") return undefined;
  const exits = content.map((item) => (item.kind === "terminal" ? exitOf(item.terminalId) : undefined));
  const said = output(() => true);
  const exit = exits.find((one) => one !== undefined);
  const note = describeExit(exit ?? said.exit);
  if (status === "cancelled") return { status, mark: "■", format: "yellow", hasFailed: false, note };
  if (status === "failed") return { status, mark: "✗", format: "red", hasFailed: true, note };
  const hasFailed = isBad(exit ?? said.exit) || (exit === undefined && said.hasFailed === true);
  return hasFailed
    ? { status, mark: "✗", format: "yellow", hasFailed, note: note === "" ? "failed" : note }
    : { status, mark: "✓", format: "green", hasFailed, note };
}

function isBad({ signal, exitCode }: TerminalExit = {}): boolean {
  return signal != null || (exitCode ?? 0) !== 0;
}

/** How a command ended, in words; empty if that is unknown. */
export function describeExit({ signal, exitCode }: TerminalExit = {}): string {
  if (signal != null) return `ended by ${printableLine(signal)}`;
  return exitCode == null ? "" : `exit code ${exitCode}`;
}
