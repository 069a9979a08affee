import type { SessionUpdate, TerminalExitStatus, TerminalUpdate } from "@acp/schema/v2/types";
import { encodeBase64 } from "../base/values.ts";
import type { AgentTurn, TurnLink } from "./agent-turn.ts";

/** A terminal to report. */
export type NewTerminal = Omit<TerminalUpdate, "terminalId" | "command" | "output" | "exitStatus"> & {
  /** The command that runs in the terminal, for users. */
  readonly command: string;
  /** The id of the terminal. Default: an id that is unique in the session. */
  readonly terminalId?: string | undefined;
};

/**
 * A terminal of the agent that the client shows. It may outlive its turn as background work: list it in the
 * `background` that the prompt handler returns, and report how it ends.
 */
export interface ReportedTerminal {
  /** The id of the terminal. The item `{ type: "terminal", terminalId }` shows it in a tool call. */
  readonly id: string;
  /** The turn that reported the terminal first. */
  readonly turn: AgentTurn;
  /**
   * Aborts when the turn is cancelled. If you reported the terminal with `capabilities: { cancel: {} }`, it also aborts
   * when the client cancels it with `terminal/cancel`, during the turn or after it, and when the session ends. Then end
   * the command, and report that it has exited.
   */
  readonly signal: AbortSignal;
  /** Appends to the output: text, or bytes. A character may be split between two calls. */
  output(data: string | Uint8Array): Promise<void>;
  /** Reports how the command ended: with an exit code, or by a signal. */
  exited(status: TerminalExitStatus): Promise<void>;
}

/** A terminal that was just reported to the client. */
export function createReportedTerminal(id: string, turn: AgentTurn, link: TurnLink): ReportedTerminal {
  let signal: AbortSignal | undefined;
  // In its turn it is a word of the turn, and later one of the session.
  const update = (made: SessionUpdate): Promise<void> => (turn.ended ? turn.session : turn).update(made);
  return {
    id,
    turn,
    get signal() {
      signal ??= link.signalOf("terminal", id);
      return signal;
    },
    output: (data) => {
      const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
      return update({ sessionUpdate: "terminal_output_chunk", terminalId: id, data: encodeBase64(bytes) });
    },
    exited: (exitStatus) => update({ sessionUpdate: "terminal_update", terminalId: id, exitStatus }),
  };
}
