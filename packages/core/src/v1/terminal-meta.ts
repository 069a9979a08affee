import { isObject } from "../base/values.ts";

// Version 1 has no terminals of the agent's own. Agents that run commands themselves report them in the custom data of a tool
// call, and clients that show them advertise it in the custom data of their capabilities: an agreement of codex-acp,
// claude-agent-acp, pi-acp, Zed and others.

/** The names of a tool call's custom data about terminals. */
export const terminalMetaNames = [
  "terminal_info",
  "terminal_output",
  "terminal_output_delta",
  "terminal_exit",
] as const;

/** A terminal of the agent's own, as custom data report it. */
export interface TerminalReport {
  readonly terminalId: string;
  readonly cwd?: string;
  /** The next part of its output. */
  readonly data?: string;
  readonly exitStatus?: { readonly exitCode: number | null; readonly signal: string | null };
}

/** Reads the terminals in the custom data of a tool call. A report without an id means the terminal with the call's id. */
export function readTerminalMeta(meta: object | null | undefined, toolCallId: string): readonly TerminalReport[] {
  if (meta === null || meta === undefined) return [];
  const {
    terminal_info: info,
    terminal_output: output,
    terminal_output_delta: delta,
    terminal_exit: exit,
  } = meta as Readonly<Record<string, unknown>>;
  const idOf = ({ terminal_id: id }: Readonly<Record<string, unknown>>): string =>
    typeof id === "string" ? id : toolCallId;
  const reports: TerminalReport[] = [];
  if (isObject(info)) {
    const { cwd } = info;
    reports.push({ terminalId: idOf(info), ...(typeof cwd === "string" && { cwd }) });
  }
  // Both append. An agent that sends the same under both names means it once.
  const chunk = delta ?? output;
  if (isObject(chunk) && typeof chunk["data"] === "string") {
    reports.push({ terminalId: idOf(chunk), data: chunk["data"] });
  }
  if (isObject(exit)) {
    const { exit_code: code, signal } = exit;
    const exitStatus = {
      exitCode: typeof code === "number" ? code : null,
      signal: typeof signal === "string" ? signal : null,
    };
    reports.push({ terminalId: idOf(exit), exitStatus });
  }
  return reports;
}
