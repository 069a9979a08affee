import type { Received } from "@acp/schema/v1/types";
import { noteToolCall } from "../shared/call-turns.ts";
import { updated } from "../shared/patch.ts";
import { placeItem } from "../shared/place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { ToolCallItem } from "./timeline-items.ts";

/**
 * Takes in what is told of a tool call. Absent and null mean unchanged, content and locations replace what was there
 * (TOOL-05). A call one does not know begins with whatever is told of it. What was marked as cancelled here is what the
 * agent says it is, as soon as it says so (CANC-09).
 */
export function updateToolCall(state: AnyState, change: Received.ToolCallUpdate): AnyState {
  const { toolCallId } = change;
  const call = updated(state.timeline.find("tool_call", toolCallId) ?? newCall(toolCallId), change);
  return noteToolCall(placeItem(state, call, toolCallId), call);
}

function newCall(toolCallId: string): ToolCallItem {
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
