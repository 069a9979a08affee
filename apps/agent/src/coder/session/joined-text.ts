import { isObject } from "../../is-object.ts";
import type { SessionRecord, ShownUpdate } from "./session-record.ts";

/** Updates with parts of a text, which are joined to one. Those of a prompt are blocks of their own. */
const chunks: ReadonlySet<string> = new Set(["agent_message_chunk", "agent_thought_chunk", "compaction_summary_chunk"]);

/** An update with its text at its end, where the journal joins it with the next one. */
export function withTextLast(update: ShownUpdate): ShownUpdate {
  const { content, ...rest } = update;
  return textOf({ type: "shown", version: 1, update }) === undefined ? update : { ...rest, content };
}

/** The text of a record that goes on in the next one; `undefined` if it is whole. */
export function textOf(record: SessionRecord): string | undefined {
  if (record.type !== "shown" || !chunks.has(record.update.sessionUpdate)) return undefined;
  const { content } = record.update;
  if (!isObject(content) || Object.keys(content).join() !== "type,text") return undefined;
  return content["type"] === "text" && typeof content["text"] === "string" ? content["text"] : undefined;
}

/** So long a text is one update, in characters. */
const longest = 64 * 1024;

/** Joins the parts of texts, which older journals have in a line each. */
export async function* joinTexts(records: AsyncIterable<SessionRecord>): AsyncGenerator<SessionRecord> {
  let open:
    | { readonly record: Extract<SessionRecord, { type: "shown" }>; text: string; readonly key: string }
    | undefined;
  for await (const record of records) {
    const text = textOf(record);
    const key = record.type === "shown" ? JSON.stringify({ ...record.update, content: record.version }) : "";
    if (open !== undefined && text !== undefined && open.key === key && open.text.length + text.length <= longest) {
      open.text += text;
      continue;
    }
    if (open !== undefined) yield withText(open.record, open.text);
    open = undefined;
    if (record.type === "shown" && text !== undefined) open = { record, text, key };
    else yield record;
  }
  if (open !== undefined) yield withText(open.record, open.text);
}

function withText<R extends Extract<SessionRecord, { type: "shown" }>>(record: R, text: string): R {
  return { ...record, update: { ...record.update, content: { type: "text", text } } };
}
