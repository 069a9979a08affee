import type { Received } from "@acp/schema/v1/unstable/types";
import { readTerminalMeta } from "../../v1/terminal-meta.ts";
import { withEarlier } from "../shared/earlier.ts";
import { applyChange } from "../shared/patch.ts";
import { isOver } from "../shared/turns.ts";
import { placeItem } from "./place-item.ts";
import type { AnyCall, AnyState } from "./session-state.ts";
import { updateTerminals, withoutTerminals } from "./terminals.ts";
import type { UnstableTimelineItem } from "./timeline-items.ts";

// An update does not name its turn. With one prompt at a time it is clear. If the client sends a prompt before the last one
// was answered, as when a user interrupts, new calls belong to that prompt.

/**
 * Applies what the agent reports of a tool call. Absent and null mean unchanged; content and locations are replaced
 * (TOOL-05). An unknown id begins a call. The agent may report another status for a call that was marked as cancelled here
 * (CANC-09).
 */
export function updateToolCall(state: AnyState, change: Received.ToolCallUpdate): AnyState {
  const { toolCallId, _meta } = change;
  const reports = readTerminalMeta(_meta, toolCallId);
  const ownChange = reports.length === 0 || _meta == null ? change : { ...change, _meta: withoutTerminals(_meta) };
  const known = state.timeline.find("tool_call", toolCallId);
  const call = withEarlier(known, applyChange(known ?? newCall(toolCallId), ownChange));
  return noteTurn(placeItem(updateTerminals(state, toolCallId, reports), call, toolCallId), call);
}

function newCall(toolCallId: string): AnyCall {
  return {
    type: "tool_call",
    toolCallId,
    title: toolCallId,
    kind: "other",
    status: "pending",
    content: [],
    locations: [],
  };
}

/** Notes the turn of an unfinished call: the one it began in, or if that is over, the current one. */
function noteTurn(state: AnyState, call: AnyCall): AnyState {
  const { turns, continuation, runningTurn } = state;
  if (runningTurn === undefined || !isUnfinished(call)) return state;
  const { toolCallId } = call;
  const known = continuation.calls.find("call", toolCallId);
  // Late updates of a cancelled turn do not move its calls into the next turn.
  if (known !== undefined && !isOver(turns.at(known.turn))) return state;
  const turn = isOver(turns.at(-1)) ? runningTurn : turns.length - 1;
  const calls = continuation.calls.put({ type: "call", toolCallId, turn }, toolCallId);
  return { ...state, continuation: { ...continuation, calls } };
}

/** Moves the calls of one turn to another one. */
export function moveToolCalls(state: AnyState, from: number, to: number): AnyState {
  let { calls } = state.continuation;
  for (const call of calls) if (call.turn === from) calls = calls.put({ ...call, turn: to }, call.toolCallId);
  return { ...state, continuation: { ...state.continuation, calls } };
}

/** Marks the unfinished calls of a turn as cancelled (CANC-02). */
export function cancelToolCalls(state: AnyState, turn: number): AnyState {
  const calls = state.continuation.calls.slice().filter((call) => call.turn === turn);
  const items = calls.map(({ toolCallId }) => state.timeline.find("tool_call", toolCallId));
  return cancelItems(state, items);
}

/** Marks all unfinished calls as cancelled: nothing that could finish them is running any more. */
export function cancelAllToolCalls(state: AnyState): AnyState {
  return cancelItems(state, state.timeline);
}

function cancelItems(state: AnyState, items: Iterable<UnstableTimelineItem | undefined>): AnyState {
  let { timeline } = state;
  for (const item of items) {
    if (item?.type !== "tool_call" || !isUnfinished(item)) continue;
    timeline = timeline.put({ ...item, status: "cancelled" }, item.toolCallId);
  }
  return timeline === state.timeline ? state : { ...state, timeline };
}

function isUnfinished({ status }: AnyCall): boolean {
  return status === "pending" || status === "in_progress";
}
