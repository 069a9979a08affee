import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import { List } from "../shared/list.ts";
import { patched } from "../shared/patch.ts";
import { placeItem } from "../shared/place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { SessionMessageItem } from "./timeline-items.ts";

/** A subagent's session: absent means unchanged, null cleared. */
export function updateSubagent(state: AnyState, patch: Unstable.SubagentUpdate): AnyState {
  const { sessionId } = patch;
  const known = state.timeline.find("subagent", sessionId);
  return placeItem(state, patched(known ?? { type: "subagent", sessionId }, patch), sessionId);
}

/** A message between two sessions: absent means unchanged, null cleared. */
export function updateSessionMessage(state: AnyState, { content, ...patch }: Unstable.SessionMessage): AnyState {
  const message = patched(messageOf(state, patch.messageId), patch);
  const whole = content === undefined ? message : { ...message, content: List.of(content ?? []) };
  return placeItem(state, whole, patch.messageId);
}

/** A piece of a message between two sessions. */
export function addSessionMessageChunk(
  state: AnyState,
  { messageId, content }: Unstable.SessionMessageChunk,
): AnyState {
  const known = messageOf(state, messageId);
  return placeItem(state, { ...known, content: known.content.append(content) }, messageId);
}

function messageOf({ timeline }: AnyState, messageId: string): SessionMessageItem {
  const known = timeline.find("session_message", messageId);
  return known ?? { type: "session_message", messageId, content: List.empty };
}
