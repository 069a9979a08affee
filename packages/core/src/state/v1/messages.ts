import type { Received } from "@acp/schema/v1/types";
import { addEcho } from "../shared/echo.ts";
import { List } from "../shared/list.ts";
import { updated } from "../shared/patch.ts";
import type { AnyState } from "./session-state.ts";
import type { MessageItem, MessageType } from "./timeline-items.ts";

/** Takes in a chunk: it continues a message or begins one (UPD-04), or repeats the user's own prompt. */
export function addChunk(state: AnyState, type: MessageType, chunk: Received.ContentChunk): AnyState {
  const { timeline, continuation } = state;
  // Null is the same as none; all else is an id, the empty string as well (UPD-05).
  const messageId = chunk.messageId ?? undefined;
  const position = messageId === undefined ? continuation.message : timeline.position(type, messageId);
  const message = position === undefined ? undefined : timeline.at(position);
  const isNew = position === undefined || message?.type !== type;
  const isPrompt = position === continuation.echo?.position;
  if (type === "user_message" && (isNew || isPrompt)) {
    const echoed = addEcho(state, chunk);
    if (echoed !== undefined) return echoed;
  }
  if (isNew) {
    return placeMessage(state, {
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
    continuation:
      messageId === undefined
        ? continuation
        : // With something of the agent's in it, it is no longer what an echo is compared with.
          { ...continuation, message: undefined, echo: isPrompt ? undefined : continuation.echo },
  };
}

/** Adds a prompt that the client sends: no update tells of it while it is answered. */
export function addPrompt(state: AnyState, prompt: readonly Received.ContentBlock[]): AnyState {
  const placed = placeMessage(state, { type: "user_message", chunks: List.of(prompt) });
  // What the agent says of itself is another message, even if it is one of the user's.
  return { ...placed, continuation: { ...placed.continuation, message: undefined } };
}

function placeMessage(state: AnyState, message: MessageItem): AnyState {
  const { type, messageId } = message;
  const position = state.timeline.length;
  const placed = state.timeline.append(message);
  return {
    ...state,
    timeline: messageId === undefined ? placed : placed.register(type, messageId, position),
    continuation: {
      ...state.continuation,
      message: messageId === undefined ? position : undefined,
      userMessage: type === "user_message" ? position : state.continuation.userMessage,
    },
  };
}
