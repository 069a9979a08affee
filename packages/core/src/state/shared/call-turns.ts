import { keysAt, positionOf, withPosition } from "./positions.ts";
import type { AnyState, AnyTurn } from "../v1/session-state.ts";
import type { ToolCallItem } from "../v1/timeline-items.ts";

// An update does not say to which turn it belongs. With one prompt at a time it is clear; where a prompt was sent before
// the last one was answered, as by a user who interrupts, what is new belongs to that prompt.

/** Notes to which turn a call belongs that was reported: the one it began in, or after that is over the one now. */
export function noteToolCall(state: AnyState, call: ToolCallItem): AnyState {
  const { turns, continuation, runningTurn } = state;
  if (runningTurn === undefined || !isUnfinished(call)) return state;
  const known = positionOf(continuation.calls, call.toolCallId);
  // What a turn that was cancelled still tells of its calls does not carry them over into the next one.
  if (known !== undefined && isOpen(turns.at(known))) return state;
  const turn = isOpen(turns.at(-1)) ? turns.length - 1 : runningTurn;
  return {
    ...state,
    continuation: { ...continuation, calls: withPosition(continuation.calls, call.toolCallId, turn) },
  };
}

/** Marks what is unfinished of a turn as cancelled (CANC-02). */
export function cancelToolCalls(state: AnyState, turn: number): AnyState {
  let { timeline } = state;
  for (const id of keysAt(state.continuation.calls, turn)) {
    const position = timeline.position("tool_call", id);
    const call = timeline.find("tool_call", id);
    if (position === undefined || call === undefined || !isUnfinished(call)) continue;
    timeline = timeline.replace(position, { ...call, status: "cancelled" });
  }
  return timeline === state.timeline ? state : { ...state, timeline };
}

/** Marks whatever is unfinished as cancelled: nothing runs any more that could end it. */
export function cancelAllToolCalls(state: AnyState): AnyState {
  let { timeline } = state;
  for (const [position, item] of timeline.slice().entries()) {
    if (item.type !== "tool_call" || !isUnfinished(item)) continue;
    timeline = timeline.replace(position, { ...item, status: "cancelled" });
  }
  return timeline === state.timeline ? state : { ...state, timeline };
}

/** The calls of a turn turn out to be of another one. */
export function passOnToolCalls(state: AnyState, turn: number, other: number): AnyState {
  let { calls } = state.continuation;
  for (const id of keysAt(calls, turn)) calls = withPosition(calls, id, other);
  return { ...state, continuation: { ...state.continuation, calls } };
}

function isUnfinished({ status }: ToolCallItem): boolean {
  return status === "pending" || status === "in_progress";
}

function isOpen(turn: AnyTurn | undefined): boolean {
  return turn?.status === "running" || turn?.status === "cancelling";
}
