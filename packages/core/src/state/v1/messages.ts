import type { ContentBlock, Received } from "@acp/schema/v1/unstable/types";
import { List } from "../shared/list.ts";
import { applyChange } from "../shared/patch.ts";
import type { MessageType } from "../shared/timeline-items.ts";
import { addEcho } from "./echo.ts";
import type { AnyMessage, AnyState } from "./session-state.ts";

/** Adds a chunk: it continues a message or begins one (UPD-04), or repeats the user's own prompt. */
export function addChunk(state: AnyState, type: MessageType, chunk: Received.ContentChunk): AnyState {
  const { timeline, continuation } = state;
  // Null means no id; any string is an id, even the empty one (UPD-05).
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
  const longer = applyChange({ ...message, chunks }, { _meta: chunk._meta ?? undefined });
  return {
    ...state,
    timeline: timeline.replace(position, longer),
    continuation:
      messageId === undefined
        ? continuation
        : // A prompt to which the agent has added is no longer compared with echoes.
          { ...continuation, message: undefined, echo: isPrompt ? undefined : continuation.echo },
  };
}

/** Adds a prompt that the client sends: the agent sends no update for it during its turn. */
export function addPrompt(state: AnyState, prompt: readonly ContentBlock[]): AnyState {
  const placed = placeMessage(state, { type: "user_message", chunks: List.of(prompt) });
  // A chunk that the agent sends without an id is another message, even if it is one of the user's.
  return { ...placed, continuation: { ...placed.continuation, message: undefined } };
}

function placeMessage(state: AnyState, message: AnyMessage): AnyState {
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
