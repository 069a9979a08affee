import type { Received } from "@acp/schema/v2/types";
import { keysAt, positionOf, withPosition } from "../shared/positions.ts";
import { type AnyState, untold } from "./session-state.ts";
import type { TerminalItem, ToolCallItem } from "./timeline-items.ts";

// An update does not say which work it belongs to. What is reported while the session works belongs to that, unless it is
// listed as work in the background, which goes on when the other is cancelled.

/** Notes that a call was reported which is part of the work that goes on. */
export function noteToolCall(state: AnyState, call: ToolCallItem): AnyState {
  const { foreground, continuation } = state;
  if (isOver(call) || (foreground.state === "idle" && foreground !== untold)) return state;
  if (positionOf(continuation.calls, call.toolCallId) !== undefined) return state;
  return { ...state, continuation: { ...continuation, calls: withPosition(continuation.calls, call.toolCallId, 0) } };
}

/** No call that was reported is part of what the session does from now on. */
export function forgetToolCalls(state: AnyState): AnyState {
  const { continuation } = state;
  return continuation.calls === undefined ? state : { ...state, continuation: { ...continuation, calls: undefined } };
}

/** Marks what is unfinished of the work that goes on as cancelled, as a client should. */
export function cancelToolCalls(state: AnyState): AnyState {
  const { background, continuation } = state;
  const besides = new Set((background ?? []).map((work) => (work.type === "tool_call" ? work.toolCallId : undefined)));
  let { timeline } = state;
  for (const id of keysAt(continuation.calls, 0)) {
    const position = timeline.position("tool_call", id);
    const call = timeline.find("tool_call", id);
    if (position === undefined || call === undefined || isOver(call) || besides.has(id)) continue;
    timeline = timeline.replace(position, { ...call, status: "cancelled" });
  }
  return forgetToolCalls(timeline === state.timeline ? state : { ...state, timeline });
}

/** Marks whatever is unfinished as cancelled: nothing is heard any more of how it ends, and nothing can be cancelled. */
export function endWork(state: AnyState): AnyState {
  let { timeline, terminals } = state;
  for (const [position, item] of timeline.slice().entries()) {
    if (item.type !== "tool_call" || isOver(item)) continue;
    timeline = timeline.replace(position, { ...item, status: "cancelled" });
  }
  for (const [position, { capabilities, ...terminal }] of terminals.slice().entries()) {
    if (capabilities !== undefined) terminals = terminals.replace(position, terminal);
  }
  const isSame = timeline === state.timeline && terminals === state.terminals;
  return forgetToolCalls(isSame ? state : { ...state, timeline, terminals });
}

const final: ReadonlySet<Received.ToolCallStatus> = new Set(["completed", "failed", "cancelled"]);

/** Whether a tool call is finished, or the command in a terminal. One with a status that is not known is not. */
function isOver(item: ToolCallItem | TerminalItem): boolean {
  return item.type === "terminal" ? item.exitStatus !== undefined : final.has(item.status);
}

/** Whether the client may ask the agent to cancel this tool call, or the command in this terminal. */
export function isCancellable(item: ToolCallItem | TerminalItem): boolean {
  return !isOver(item) && (item.capabilities?.cancel ?? undefined) !== undefined;
}
