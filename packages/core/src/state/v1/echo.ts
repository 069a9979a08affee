import type { Received } from "@acp/schema/v1/unstable/types";
import { applyChange } from "../shared/patch.ts";
import type { AnyState } from "./session-state.ts";

// Some agents send the client's own prompt back, as a whole or in part, cut as they like, at any time of the turn.

/**
 * Takes in a chunk that repeats what comes next in the prompt of the running turn: a block, or a piece of a block's text.
 * The message stays as the user has sent it. Returns `undefined` if the chunk says something else.
 */
export function addEcho(state: AnyState, { content, messageId, _meta }: Received.ContentChunk): AnyState | undefined {
  const { timeline, continuation } = state;
  const { echo } = continuation;
  const prompt = echo === undefined ? undefined : timeline.at(echo.position);
  if (echo === undefined || prompt?.type !== "user_message") return undefined;
  const { position } = echo;
  let { block, character } = echo;
  // The agent may leave out blocks, but never goes back: so a whole echo is compared with each block once.
  for (; block < prompt.chunks.length; block++, character = 0) {
    const sent = prompt.chunks.at(block);
    if (sent === undefined || !repeats(content, sent, character)) continue;
    const length = content.type === "text" ? content.text.length : Infinity;
    const named = applyChange(prompt, { messageId, _meta });
    const placed = named === prompt ? timeline : timeline.replace(position, named);
    const isNamed = typeof messageId === "string" && messageId !== prompt.messageId;
    return {
      ...state,
      timeline: isNamed ? placed.register(prompt.type, messageId, position) : placed,
      continuation: { ...continuation, echo: { position, block, character: character + length } },
    };
  }
  return undefined;
}

/** Whether content repeats a block, or a piece of its text that begins at a character. */
function repeats(content: Received.ContentBlock, sent: Received.ContentBlock, character: number): boolean {
  if (sent.type !== "text") return character === 0 && includes(content, { ...sent, ...optional });
  return content.type === "text" && content.text !== "" && sent.text.startsWith(content.text, character);
}

/** Agents may leave out what the user did not say. */
const optional = { annotations: undefined, _meta: undefined };

/** Whether the received value has everything that was sent. Agents may add to it: null where there was nothing, or a size. */
function includes(received: unknown, sent: unknown): boolean {
  if (typeof sent !== "object" || sent === null) return received === sent || (received ?? undefined) === sent;
  if (typeof received !== "object" || received === null) return false;
  const members = new Map<string, unknown>(Object.entries(received));
  return Object.entries(sent).every(([name, value]) => value === undefined || includes(members.get(name), value));
}
