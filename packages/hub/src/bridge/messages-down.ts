import type * as V1 from "@acp/schema/v1/types";
import type * as V2 from "@acp/schema/v2/types";
import { contentDown } from "./prompts.ts";

type Update1 = V1.Received.SessionUpdate;
type Update2 = V2.Received.SessionUpdate;
type Whole = Extract<Update2, { sessionUpdate: "user_message" | "agent_message" | "agent_thought" }>;
type Chunk = Extract<Update2, { sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk" }>;

/** How many messages are remembered, and how much of each, in characters: the agent decides about both. */
const maxMessages = 1000;
const maxText = 65_536;

/**
 * The messages of a session of version 2 as chunks: version 1 has no whole messages. One that repeats what the client has
 * and goes on is its rest; what replaces what the client has cannot be said.
 */
export class MessagesDown {
  /** What the client has of each message: blocks as JSON, texts joined. `undefined` if that is too long to know. */
  readonly #shown = new Map<string, string | undefined>();

  chunk(update: Chunk): Update1 {
    const { sessionUpdate, messageId } = update;
    const content = contentDown(update.content);
    const key = `${sessionUpdate} ${messageId}`;
    const before = this.#shown.has(key) ? this.#shown.get(key) : "";
    this.#remember(key, before === undefined ? undefined : before + shownAs(content));
    return { ...update, content };
  }

  whole({ content, ...update }: Whole): readonly Update1[] {
    const { messageId, sessionUpdate: kind, ...rest } = update;
    const sessionUpdate = `${kind}_chunk` as const;
    const key = `${sessionUpdate} ${messageId}`;
    const blocks = (content ?? []).map(contentDown);
    const before = this.#shown.get(key);
    const isKnown = this.#shown.has(key);
    const missing = isKnown ? withoutShown(blocks, before) : blocks;
    if (missing.length > 0 || !isKnown) this.#remember(key, blocks.map(shownAs).join(""));
    return missing.map((block) => ({ ...rest, sessionUpdate, messageId, content: block }));
  }

  #remember(key: string, text: string | undefined): void {
    this.#shown.delete(key);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size >= maxMessages && oldest !== undefined) this.#shown.delete(oldest);
    this.#shown.set(key, text !== undefined && text.length > maxText ? undefined : text);
  }
}

function shownAs(block: V1.ContentBlock): string {
  return block.type === "text" ? block.text : JSON.stringify(block);
}

/** The blocks behind what the client has; none if they say something else. */
function withoutShown(blocks: readonly V1.ContentBlock[], shown: string | undefined): readonly V1.ContentBlock[] {
  let rest = shown;
  const missing: V1.ContentBlock[] = [];
  for (const block of blocks) {
    if (rest === undefined) return [];
    const text = shownAs(block);
    if (rest.startsWith(text)) rest = rest.slice(text.length);
    else if (block.type !== "text" || !text.startsWith(rest)) return [];
    else {
      missing.push({ ...block, text: text.slice(rest.length) });
      rest = "";
    }
  }
  return rest === "" ? missing : [];
}
