import type { Received } from "@acp/schema/v1/types";
import { updated } from "./patch.ts";
import type { AnyState } from "../v1/session-state.ts";

// Some agents send a client's own prompt back, as a whole or in part, cut as they like, at any time of the turn.

/**
 * Takes in a chunk that repeats what comes next in the prompt of the running turn: a block, or a piece of a block's text.
 * It is the same message then, and stays as the user has sent it. `undefined` if the chunk says something else.
 */
export function addEcho(state: AnyState, { content, messageId, _meta }: Received.ContentChunk): AnyState | undefined {
  const { timeline, continuation } = state;
  const { echo } = continuation;
  const prompt = echo === undefined ? undefined : timeline.at(echo.position);
  if (echo === undefined || prompt?.type !== "user_message") return undefined;
  const { position } = echo;
  let { block, character } = echo;
  // Blocks may be left out, but there is no way back: so a whole echo is compared with each block once.
  for (; block < prompt.chunks.length; block++, character = 0) {
    const sent = prompt.chunks.at(block);
    if (sent === undefined || !repeats(content, sent, character)) continue;
    const length = content.type === "text" ? content.text.length : Infinity;
    const named = updated(prompt, { messageId, _meta });
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

/** Whether content repeats a block, or its text from a character on. */
function repeats(content: Received.ContentBlock, sent: Received.ContentBlock, character: number): boolean {
  if (sent.type !== "text") return character === 0 && includes(content, { ...sent, ...aside });
  return content.type === "text" && content.text !== "" && sent.text.startsWith(content.text, character);
}

/** Not what the user has said, so agents may leave it out. */
const aside = { annotations: undefined, _meta: undefined };

/** Whether it has all that was sent. Agents may add to it: null where there was nothing, or a size. */
function includes(received: unknown, sent: unknown): boolean {
  if (typeof sent !== "object" || sent === null) return received === sent || (received ?? undefined) === sent;
  if (typeof received !== "object" || received === null) return false;
  const members = new Map<string, unknown>(Object.entries(received));
  return Object.entries(sent).every(([name, value]) => value === undefined || includes(members.get(name), value));
}
