import type { ContentBlock, Received } from "@acp/schema/v2/types";
import { List } from "../shared/list.ts";
import { merged, placed } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { MessageItem, MessageType } from "./timeline-items.ts";

/** Takes in what is told of a message: without content that stays, null clears it. */
export function updateMessage(
  state: AnyState,
  type: MessageType,
  { content, ...patch }: Received.UserMessage,
): AnyState {
  const message = merged(messageOf(state, type, patch.messageId), patch);
  return place(state, content === undefined ? message : withContent(message, List.of(content ?? [])));
}

/** Adds to a message, or begins one. Custom data of a chunk is not that of its message. */
export function addChunk(state: AnyState, type: MessageType, { messageId, content }: Received.ContentChunk): AnyState {
  const message = messageOf(state, type, messageId);
  return place(state, withContent(message, (message.unconfirmed ? empty : message.chunks).append(content)));
}

/**
 * The agent has made a prompt a message with this id. It tells of it as well, before or after: until it has, its place is
 * here, and its content what was sent.
 */
export function addPrompt(state: AnyState, messageId: string, prompt: readonly ContentBlock[]): AnyState {
  if (state.timeline.position("user_message", messageId) !== undefined) return state;
  return place(state, { type: "user_message", messageId, chunks: List.of(prompt), unconfirmed: true });
}

function withContent(message: MessageItem, chunks: MessageItem["chunks"]): MessageItem {
  if (message.unconfirmed === undefined) return { ...message, chunks };
  const { unconfirmed: _, ...told } = message;
  return { ...told, chunks };
}

function place(state: AnyState, message: MessageItem): AnyState {
  const timeline = placed(state.timeline, message, message.messageId);
  return timeline === state.timeline ? state : { ...state, timeline };
}

function messageOf({ timeline }: AnyState, type: MessageType, messageId: string): MessageItem {
  return timeline.find(type, messageId) ?? { type, messageId, chunks: empty };
}

const empty: MessageItem["chunks"] = List.empty;
