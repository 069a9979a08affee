import type { Received } from "@acp/schema/v1";

/** A tool call as far as the agent has told. */
export type ToolCallState = Omit<Received.ToolCallUpdate, "_meta">;

/** Takes in a change: absent and null mean no change, lists replace what was there (TOOL-05). */
export function applyChange(state: ToolCallState, change: ToolCallState): ToolCallState {
  const present = Object.entries(change).filter(([, value]) => value !== undefined && value !== null);
  return { ...state, ...Object.fromEntries(present) };
}

export function isFinished({ status }: ToolCallState): boolean {
  return status === "completed" || status === "failed";
}
