import type { ContentBlock, Received } from "@acp/schema/v2/types";
import { joinPlainTexts, remember } from "../shared/content.ts";
import { List } from "../shared/list.ts";
import type { MessageType } from "../shared/timeline-items.ts";
import { applyPatchWithMeta, placeItem } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { MessageItem } from "./timeline-items.ts";

type Chunks = MessageItem["chunks"];

/** The content of a message, with adjacent plain texts joined into one block. Costs the same as `joinText`. */
export const joinBlocks: (chunks: Chunks) => readonly Received.ContentBlock[] = remember((chunks) =>
  joinPlainTexts(chunks),
);

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

function withChunks(message: MessageItem, chunks: Chunks): MessageItem {
  if (message.unconfirmed === undefined) return { ...message, chunks };
  const { unconfirmed: _, ...reported } = message;
  return { ...reported, chunks };
}

function placeMessage(state: AnyState, message: MessageItem): AnyState {
  return placeItem(state, message, message.messageId);
}

function messageOf({ timeline }: AnyState, type: MessageType, messageId: string): MessageItem {
  return timeline.find(type, messageId) ?? { type, messageId, chunks: empty };
}

const empty: Chunks = List.empty;
