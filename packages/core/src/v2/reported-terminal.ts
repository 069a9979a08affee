import type { SessionUpdate, TerminalExitStatus, TerminalUpdate } from "@acp/schema/v2/types";
import { encodeBase64 } from "../base/values.ts";
import type { AgentTurn, TurnLink } from "./agent-turn.ts";

/** A terminal to report. */
export type NewTerminal = Omit<TerminalUpdate, "terminalId" | "command" | "output" | "exitStatus"> & {
  /** The command that runs in it, for users. */
  readonly command: string;
  /** Default: an id that is unique in the session. */
  readonly terminalId?: string | undefined;
};

/**
 * A terminal of the agent that the client was told of, and shows. It may outlive its turn, as background work: say so in the
 * `background` of what the prompt handler returns, and report how it ends.
 */
export interface ReportedTerminal {
  /** The id of the terminal; an item `{ type: "terminal", terminalId }` shows it in a tool call. */
  readonly id: string;
  /** The turn that began it. */
  readonly turn: AgentTurn;
  /**
   * Aborts when its turn is cancelled. That of a terminal that was reported with `capabilities: { cancel: {} }` also aborts
   * when the client cancels it with `terminal/cancel`, in the turn or after it, and when the session ends. End the command
   * then, and report that it has exited.
   */
  readonly signal: AbortSignal;
  /** Adds to the output: text, or bytes as they come, of which a character may be cut in two. */
  output(data: string | Uint8Array): Promise<void>;
  /** Reports how the command has ended, by an exit code or by a signal. */
  exited(status: TerminalExitStatus): Promise<void>;
}

/** A terminal of which the client has just been told. */
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
