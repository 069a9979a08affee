import { isObject, parseJson } from "./values.ts";

/** Where a message starts in a text, and where it ends. */
export interface MessageSpan {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
/** So many pieces of a text may look like a message and not be one. */
const mostFailures = 100;
const outsideStrings = "[]:,-+.0123456789eEtrufalsn \t\r\n";

/**
 * Finds the JSON-RPC messages in a text that is no JSON: a line with two messages, or with a log prefix, colours or a title for
 * the terminal around one. Does not look inside of other JSON objects, which may log a message. Takes linear time.
 */
export function findMessages(text: string): readonly MessageSpan[] {
  const found: MessageSpan[] = [];
  if (!text.includes('"jsonrpc"')) return found;
  const opening = /\{\s*"/g;
  let failures = 0;
  // Pieces that fail can overlap: without a limit, they would take quadratic time.
  let budget = 4 * text.length;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    const { end, isClosed } = skipObject(text, start);
    const value = isClosed ? parseJson(text.slice(start, end)) : undefined;
    opening.lastIndex = value === undefined ? start + 1 : end;
    if (isMessage(value)) found.push({ start, end });
    if (value !== undefined) continue;
    budget -= end - start;
    if (budget < 0 || ++failures > mostFailures) break;
  }
  return found;
}

/** Cuts a text behind each of its messages: no part has more than one. The last part has what follows the last message. */
export function splitMessages(text: string): readonly string[] {
  if (parseJson(text) !== undefined) return [text];
  const cuts = findMessages(text).slice(0, -1);
  return [0, ...cuts.map(({ end }) => end)].map((start, index) => text.slice(start, cuts[index]?.end));
}

/** Returns what of a text is outside of the spans. */
export function textOutside(text: string, spans: readonly MessageSpan[]): string {
  return [0, ...spans.map(({ end }) => end)].map((start, index) => text.slice(start, spans[index]?.start)).join("");
}

/** Finds the end of the object that starts at `at`, or where the text stops to be JSON. */
function skipObject(text: string, at: number): { readonly end: number; readonly isClosed: boolean } {
  let depth = 0;
  let isString = false;
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) isString = !isString;
    else if (isString) {
      if (code === backslash) i++;
      else if (code < 0x20) return { end: i, isClosed: false };
    } else if (text[i] === "{") depth++;
    else if (text[i] === "}") {
      if (--depth === 0) return { end: i + 1, isClosed: true };
    } else if (!outsideStrings.includes(text[i]!)) return { end: i, isClosed: false };
  }
  return { end: text.length, isClosed: false };
}

function isMessage(value: unknown): boolean {
  return isObject(value) && value["jsonrpc"] === "2.0" && ("id" in value || typeof value["method"] === "string");
}
