import type { Received } from "@acp/schema/v1";
import { updated } from "./patch.ts";
import { placeItem } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { ToolCallItem } from "./timeline-items.ts";

/**
 * Takes in what is told of a tool call. Absent and null mean unchanged, content and locations replace what was there
 * (TOOL-05). A call one does not know begins with whatever is told of it.
 */
export function updateToolCall(state: AnyState, change: Received.ToolCallUpdate): AnyState {
  const { toolCallId } = change;
  const known = state.timeline.find("tool_call", toolCallId);
  if (known !== undefined) return placeItem(state, withChange(known, change), toolCallId);
  const call = withChange(
    { type: "tool_call", toolCallId, title: toolCallId, kind: "other", status: "pending", content: [], locations: [] },
    change,
  );
  // The agent of a turn that is being cancelled may have sent it before it knew.
  return placeItem(state, isTurnCancelling(state) ? cancelled(call) : call, toolCallId);
}

/** Marks what is unfinished from this position on as cancelled (CANC-02). */
export function cancelToolCalls(state: AnyState, start: number): AnyState {
  let { timeline } = state;
  for (const [offset, item] of timeline.slice(start).entries()) {
    const marked = item.type === "tool_call" ? cancelled(item) : item;
    if (marked !== item) timeline = timeline.replace(start + offset, marked);
  }
  return timeline === state.timeline ? state : { ...state, timeline };
}

function withChange(call: ToolCallItem, { status, ...change }: Received.ToolCallUpdate): ToolCallItem {
  // Once it is cancelled only its end counts, not that it was still running (CANC-09).
  const isLate = call.status === "cancelled" && !(status === "completed" || status === "failed");
  return updated(call, { ...change, status: isLate ? null : status });
}

function cancelled(call: ToolCallItem): ToolCallItem {
  return call.status === "pending" || call.status === "in_progress" ? { ...call, status: "cancelled" } : call;
}

function isTurnCancelling({ turns, runningTurn }: AnyState): boolean {
  return runningTurn !== undefined && turns.at(runningTurn)?.status === "cancelling";
}
