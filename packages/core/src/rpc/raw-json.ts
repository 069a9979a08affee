// Finds values in JSON text without parsing it. JSON.parse rounds integers above 2^53, but an id must be returned exactly as it
// was sent (RPC-04). And only the first and last bytes of a message over the size limit are known, yet it must be answered.
import { parseJson } from "../base/values.ts";

const quote = 0x22;
const backslash = 0x5c;

function skipSpace(text: string, at: number): number {
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** Returns the index behind the string that starts at `at`, or -1 if the text ends inside it. */
function skipString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === backslash) i++;
    else if (char === quote) return i + 1;
  }
  return -1;
}

/** Returns the index behind the value that starts at `at`, or, in a `depth` of 1, behind the open one; -1 if the text ends first. */
function skipValue(text: string, at: number, depth = 0): number {
  for (let i = at; i < text.length; i++) {
    const char = text[i]!;
    if (depth === 0 && ",}]".includes(char)) return i;
    if (char === '"') {
      const end = skipString(text, i);
      if (end < 0) return -1;
      i = end - 1;
    } else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    else continue;
    if (depth === 0) return i + 1;
  }
  return -1;
}

/**
 * Returns the raw texts of an object's members, as far as the text goes; `undefined` for a member that is cut off. The last of
 * repeated keys counts, as in `JSON.parse`.
 */
function membersOf(text: string): Map<string, string | undefined> {
  const members = new Map<string, string | undefined>();
  let before = "{";
  for (let at = skipSpace(text, 0); text[at] === before; before = ",") {
    const start = skipSpace(text, at + 1);
    const keyEnd = text[start] === '"' ? skipString(text, start) : -1;
    if (keyEnd < 0) break;
    const key = parseJson(text.slice(start, keyEnd));
    const colon = skipSpace(text, keyEnd);
    if (text[colon] !== ":" || typeof key !== "string") break;
    const valueStart = skipSpace(text, colon + 1);
    const end = skipValue(text, valueStart);
    members.set(key, end < 0 ? undefined : text.slice(valueStart, end).trimEnd());
    if (end < 0) break;
    at = skipSpace(text, end);
  }
  return members;
}

/** Returns the raw text of the value at `path`. */
export function rawValue(text: string, path: readonly string[]): string | undefined {
  return path.reduce<string | undefined>((raw, part) => membersOf(raw ?? "").get(part), text);
}

/** The facts that a message's first and last bytes show. */
export interface Envelope {
  /** The id as JSON text, if it is a string, a number or `null`. */
  readonly id: string | undefined;
  readonly method: string | undefined;
  readonly isResponse: boolean;
  readonly isJsonRpc: boolean;
}

/** Reads the envelope from the first bytes of a message, then from its last ones. */
export function recoverEnvelope(head: string, tail: string): Envelope {
  const members = membersOf(head);
  for (const match of tail.matchAll(/(?<![\\\w])"(id|method|jsonrpc|result|error)"\s*:\s*/g)) {
    const start = match.index + match[0].length;
    const end = skipValue(tail, start);
    // It is the message's own member if the rest of the text closes exactly one object.
    const close = skipValue(tail, start, 1);
    if (end < 0 || close < 0 || skipSpace(tail, close) < tail.length) continue;
    members.set(match[1]!, tail.slice(start, end).trimEnd());
  }
  const method = parseJson(members.get("method") ?? "");
  const rawId = members.get("id");
  return {
    id: rawId !== undefined && isId(parseJson(rawId)) ? rawId : undefined,
    method: typeof method === "string" ? method : undefined,
    isResponse: members.has("result") || members.has("error"),
    isJsonRpc: members.get("jsonrpc") === '"2.0"',
  };
}

/** Whether a parsed value can be an id; invalid JSON was parsed as `undefined`. */
function isId(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}
