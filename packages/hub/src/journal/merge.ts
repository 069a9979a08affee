import { isObject } from "@acp/core/internal";

/** The kinds of updates whose texts follow one another. */
const chunks: ReadonlySet<unknown> = new Set([
  "agent_message_chunk",
  "agent_thought_chunk",
  "user_message_chunk",
  "compaction_summary_chunk",
]);
/** The members of an update that has a text and nothing else. */
const members: ReadonlySet<string> = new Set(["sessionUpdate", "messageId", "compactionId", "content"]);

/**
 * Joins two updates that are parts of the same message and differ in their text alone. `undefined` if they are not: then both
 * have to be kept.
 */
export function mergeUpdates(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return undefined;
  if (!chunks.has(first["sessionUpdate"]) || first["sessionUpdate"] !== second["sessionUpdate"]) return undefined;
  if ((first["messageId"] ?? undefined) !== (second["messageId"] ?? undefined)) return undefined;
  if (first["compactionId"] !== second["compactionId"] || !hasTextOnly(first) || !hasTextOnly(second)) return undefined;
  return { ...first, content: { type: "text", text: first.content.text + second.content.text } };
}

type TextUpdate = { readonly content: { readonly text: string } };

function hasTextOnly(update: { readonly [name: string]: unknown }): update is typeof update & TextUpdate {
  const { content } = update;
  if (!isObject(content) || content["type"] !== "text" || typeof content["text"] !== "string") return false;
  return Object.keys(content).length === 2 && Object.keys(update).every((name) => members.has(name));
}
