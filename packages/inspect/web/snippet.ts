import { line } from "./dom.ts";
import type { Texts } from "./texts.ts";
import type { Trace } from "./trace.ts";

/** How much of a message a row shows, in UTF-16 code units. */
const longest = 240;
/** A longer message is not parsed for its row. */
const parsedLength = 50_000;
/** How many chunks of a text are read for its row. */
const readChunks = 60;

type Members = Readonly<Record<string, unknown>>;

/** What a row says of its message: the words that matter most first. */
export async function snippetOf(row: number, trace: Trace, texts: Texts): Promise<string> {
  const [, end] = trace.rowOf(row);
  let snippet = "";
  for (let message = row; message < Math.min(end, row + readChunks) && snippet.length < longest; message++) {
    const text = texts.peek(message) ?? (await texts.text(message));
    snippet += words(text);
  }
  return line(snippet.slice(0, longest));
}

function words(text: string): string {
  if (text.length > parsedLength) return text.slice(0, longest);
  const message = membersOf(parsed(text));
  const { params, result, error } = message;
  if (params === undefined && result === undefined && error === undefined) return text;
  const { sessionId: _, update, prompt, ...rest } = membersOf(params);
  const { sessionUpdate, content, title, status, toolCallId, ...more } = membersOf(update);
  const said = textOf(content) ?? textOf(prompt);
  if (sessionUpdate !== undefined && said !== undefined && title === undefined) return said;
  if (prompt !== undefined && said !== undefined) return said;
  if (sessionUpdate !== undefined)
    return [title, status, toolCallId, JSON.stringify({ content, ...more })].filter(isText).join(" · ");
  if (params !== undefined) return JSON.stringify(rest);
  return JSON.stringify(error ?? result);
}

/** The text of a block or of a list of blocks. */
export function textOf(content: unknown): string | undefined {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => membersOf(block)["text"]).filter(isText);
  return texts.length === 0 ? undefined : texts.join(" ");
}

export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
