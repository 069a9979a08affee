import type { Received } from "@acp/schema/v1";
import { List } from "./list.ts";
import { updated } from "./patch.ts";
import type { AnyState } from "./session-state.ts";
import type { MessageItem, MessageType } from "./timeline-items.ts";

/** Takes in a chunk: it continues a message or begins one (UPD-04). */
export function addChunk(state: AnyState, type: MessageType, chunk: Received.ContentChunk): AnyState {
  const { timeline, continuation } = state;
  // Null is the same as none; all else is an id, the empty string as well (UPD-05).
  const messageId = chunk.messageId ?? undefined;
  const position = messageId === undefined ? continuation.message : timeline.position(type, messageId);
  const message = position === undefined ? undefined : timeline.at(position);
  if (position === undefined || message?.type !== type) {
    const isRepeated = type === "user_message" && repeatsPrompt(state, chunk.content);
    return placeMessage(state, isRepeated ? timeline.length - 1 : timeline.length, {
      type,
      ...(messageId === undefined ? {} : { messageId }),
      chunks: List.of([chunk.content]),
      ...(chunk._meta ? { _meta: chunk._meta } : {}),
    });
  }
  const chunks = message.chunks.append(chunk.content);
  const longer = updated({ ...message, chunks }, { _meta: chunk._meta ?? undefined });
  return {
    ...state,
    timeline: timeline.replace(position, longer),
    continuation: messageId === undefined ? continuation : { ...continuation, message: undefined },
  };
}

/** Adds a prompt that the client sends: no update tells of it while it is answered. */
export function addPrompt(state: AnyState, prompt: readonly Received.ContentBlock[]): AnyState {
  const position = state.timeline.length;
  const placed = placeMessage(state, position, { type: "user_message", chunks: List.of(prompt) });
  // What the agent says of itself is another message, even if it is one of the user's.
  return { ...placed, continuation: { ...placed.continuation, message: undefined, prompt: position } };
}

function placeMessage(state: AnyState, position: number, message: MessageItem): AnyState {
  const { type, messageId } = message;
  const placed = state.timeline.replace(position, message);
  return {
    ...state,
    timeline: messageId === undefined ? placed : placed.register(type, messageId, position),
    continuation: {
      ...state.continuation,
      message: messageId === undefined ? position : undefined,
      userMessage: type === "user_message" ? position : state.continuation.userMessage,
      prompt: undefined,
    },
  };
}

/** Some agents send a client's own prompt back. It is the same message then, with the agent's chunks and id. */
function repeatsPrompt({ timeline, continuation }: AnyState, content: Received.ContentBlock): boolean {
  if (continuation.prompt === undefined || continuation.prompt !== timeline.length - 1) return false;
  const prompt = timeline.at(continuation.prompt);
  const first = prompt?.type === "user_message" ? prompt.chunks.at(0) : undefined;
  if (first?.type !== "text" || content.type !== "text") return false;
  return content.text !== "" && first.text.startsWith(content.text);
}
