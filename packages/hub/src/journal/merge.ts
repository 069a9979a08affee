import { isObject } from "@acp/core/internal";

/** The kinds of updates whose texts follow one another in a message. */
const chunks: ReadonlySet<unknown> = new Set(["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"]);

/**
 * Joins two updates that are parts of the same message and differ in their text alone. `undefined` if they are not: then both
 * have to be kept.
 */
export function mergeUpdates(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return undefined;
  if (!chunks.has(first["sessionUpdate"]) || first["sessionUpdate"] !== second["sessionUpdate"]) return undefined;
  if (first["messageId"] !== second["messageId"] || !hasTextOnly(first) || !hasTextOnly(second)) return undefined;
  return { ...first, content: { ...first.content, text: first.content.text + second.content.text } };
}

type TextUpdate = { readonly content: { readonly text: string } };

function hasTextOnly(update: { readonly [name: string]: unknown }): update is typeof update & TextUpdate {
  const known = new Set(["sessionUpdate", "messageId", "content"]);
  if (!Object.keys(update).every((name) => known.has(name))) return false;
  const content = update["content"];
  return (
    isObject(content) &&
    content["type"] === "text" &&
    typeof content["text"] === "string" &&
    Object.keys(content).length === 2
  );
}
