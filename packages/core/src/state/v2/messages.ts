import type { ContentBlock, Received } from "@acp/schema/v2/unstable/types";
import { List } from "../shared/list.ts";
import type { MessageType } from "../shared/timeline-items.ts";
import { applyPatchWithMeta, placeItem } from "./place-item.ts";
import type { AnyMessage, AnyState } from "./session-state.ts";

type Chunks = AnyMessage["chunks"];

/** Applies what the agent reports of a message. Absent content means unchanged; null clears it. */
export function updateMessage(
  state: AnyState,
  type: MessageType,
  { content, ...patch }: Received.UserMessage,
): AnyState {
  const message = applyPatchWithMeta(messageOf(state, type, patch.messageId), patch);
  return placeMessage(state, content === undefined ? message : withChunks(message, List.of(content ?? [])));
}

/** Adds to a message, or begins one. The custom data of a chunk is not that of its message. */
export function addChunk(state: AnyState, type: MessageType, { messageId, content }: Received.ContentChunk): AnyState {
  const message = messageOf(state, type, messageId);
  return placeMessage(state, withChunks(message, (message.unconfirmed ? empty : message.chunks).append(content)));
}

/**
 * The agent has accepted a prompt as a message with this id. It also reports that message, before or after. Until it has,
 * the message has its place here and the content that was sent.
 */
export function addPrompt(state: AnyState, messageId: string, prompt: readonly ContentBlock[]): AnyState {
  if (state.timeline.position("user_message", messageId) !== undefined) return state;
  return placeMessage(state, { type: "user_message", messageId, chunks: List.of(prompt), unconfirmed: true });
}

function withChunks(message: AnyMessage, chunks: Chunks): AnyMessage {
  if (message.unconfirmed === undefined) return { ...message, chunks };
  const { unconfirmed: _, ...reported } = message;
  return { ...reported, chunks };
}

function placeMessage(state: AnyState, message: AnyMessage): AnyState {
  return placeItem(state, message, message.messageId);
}

function messageOf({ timeline }: AnyState, type: MessageType, messageId: string): AnyMessage {
  return timeline.find(type, messageId) ?? { type, messageId, chunks: empty };
}

const empty: Chunks = List.empty;
