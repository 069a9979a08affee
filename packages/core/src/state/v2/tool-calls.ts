import type { Received } from "@acp/schema/v2/types";
import { List } from "../shared/list.ts";
import { noteToolCall } from "./work.ts";
import { merged, placed } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { ToolCallItem } from "./timeline-items.ts";

/** Takes in what is told of a tool call: absent means unchanged, null cleared. An id one does not know begins a call. */
export function updateToolCall(state: AnyState, { content, ...told }: Received.ToolCallUpdate): AnyState {
  const patch = {
    ...told,
    kind: told.kind === null ? "other" : told.kind,
    status: told.status === null ? "pending" : told.status,
    locations: told.locations === null ? [] : told.locations,
  };
  const call = merged(callOf(state, told.toolCallId), patch);
  return place(state, content === undefined ? call : { ...call, content: List.of(content ?? []) });
}

/** Adds to what a tool call has produced. */
export function addToolCallContent(state: AnyState, { toolCallId, content }: Received.ToolCallContentChunk): AnyState {
  const call = callOf(state, toolCallId);
  return place(state, { ...call, content: call.content.append(content) });
}

function place(state: AnyState, call: ToolCallItem): AnyState {
  const timeline = placed(state.timeline, call, call.toolCallId);
  return noteToolCall(timeline === state.timeline ? state : { ...state, timeline }, call);
}

function callOf({ timeline }: AnyState, toolCallId: string): ToolCallItem {
  const known = timeline.find("tool_call", toolCallId);
  return (
    known ?? { type: "tool_call", toolCallId, kind: "other", status: "pending", content: List.empty, locations: [] }
  );
}
