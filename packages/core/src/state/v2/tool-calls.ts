import type { Received } from "@acp/schema/v2/unstable/types";
import { withEarlier } from "../shared/earlier.ts";
import { List } from "../shared/list.ts";
import { applyPatchWithMeta, placeItem } from "./place-item.ts";
import type { AnyCall, AnyState } from "./session-state.ts";
import { noteToolCall } from "./work.ts";

/** Applies what the agent reports of a tool call: absent means unchanged, null clears. An unknown id begins a call. */
export function updateToolCall(state: AnyState, { content, ...update }: Received.ToolCallUpdate): AnyState {
  const patch = {
    ...update,
    kind: update.kind === null ? "other" : update.kind,
    status: update.status === null ? "pending" : update.status,
    locations: update.locations === null ? [] : update.locations,
  };
  const known = callOf(state, update.toolCallId);
  const call = applyPatchWithMeta(known, patch);
  return placeCall(
    state,
    withEarlier(known, content === undefined ? call : { ...call, content: List.of(content ?? []) }),
  );
}

/** Adds to the output of a tool call. */
export function addToolCallContent(state: AnyState, { toolCallId, content }: Received.ToolCallContentChunk): AnyState {
  const call = callOf(state, toolCallId);
  return placeCall(state, { ...call, content: call.content.append(content) });
}

function placeCall(state: AnyState, call: AnyCall): AnyState {
  return noteToolCall(placeItem(state, call, call.toolCallId), call);
}

function callOf({ timeline }: AnyState, toolCallId: string): AnyCall {
  const known = timeline.find("tool_call", toolCallId);
  return (
    known ?? { type: "tool_call", toolCallId, kind: "other", status: "pending", content: List.empty, locations: [] }
  );
}
