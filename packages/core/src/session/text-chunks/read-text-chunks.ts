import type { FastPath } from "../../rpc/reader.ts";
import {
  beforeMessage,
  beforeTag,
  beforeText,
  chunkTags,
  endOfMessage,
  endOfText,
  writeBeforeSession,
} from "./message-parts.ts";

/**
 * Reads text chunks, which are most of an agent's messages. It compares everything around their strings and parses only
 * the strings, so nothing is left to decode or check. It returns `undefined` for any other text; the params equal those of
 * JSON.parse and the decoder.
 *
 * @param method The method of updates.
 * @param needsMessageId Leaves a chunk without a message id to the decoder: in version 2 it breaks the protocol.
 */
export function createTextChunkReader(method: string, needsMessageId = false): FastPath {
  const beforeSession = writeBeforeSession(method);
  // No message starts like this: it has no `m` at the place of the method.
  const noHead = " ".repeat(methodAt + 1);
  let sessionId = "";
  let kind = 0;
  // Everything before the text, if the last two chunks had the same session and kind, as most do. Building it for each chunk
  // would be slow where sessions alternate.
  let head = noHead;

  /** Finds where the text of a chunk starts; `undefined` if the message is not a chunk. */
  function findText(text: string): number | undefined {
    if (hasAt(text, 0, head)) return head.length;
    if (!hasAt(text, 0, beforeSession)) return undefined;
    const sessionEnd = findStringEnd(text, beforeSession.length);
    const tagStart = sessionEnd + beforeTag.length;
    const tag = tagsToText.findIndex((each) => hasAt(text, tagStart, each));
    if (tag < 0 || !hasAt(text, sessionEnd, beforeTag)) return undefined;
    const session = parseString(text, beforeSession.length, sessionEnd);
    const isRepeated = session === sessionId && tag === kind;
    head = isRepeated ? [beforeSession, text.slice(beforeSession.length, tagStart), tagsToText[tag]].join("") : noHead;
    sessionId = session;
    kind = tag;
    return tagStart + tagsToText[tag]!.length;
  }

  function readChunk(text: string): object | undefined {
    // Requests and answers have their id here, so this rules them out at once.
    if (text[methodAt] !== "m") return undefined;
    const start = findText(text);
    if (start === undefined) return undefined;
    const sessionUpdate = chunkTags[kind];
    const end = findStringEnd(text, start);
    if (!needsMessageId && text.slice(end) === endOfText) {
      const content = { type: "text", text: parseString(text, start, end) };
      return { sessionId, update: { sessionUpdate, content } };
    }
    const messageStart = end + beforeMessage.length;
    const messageEnd = findStringEnd(text, messageStart);
    if (!hasAt(text, end, beforeMessage) || text.slice(messageEnd) !== endOfMessage) return undefined;
    const content = { type: "text", text: parseString(text, start, end) };
    const messageId = parseString(text, messageStart, messageEnd);
    return { sessionId, update: { sessionUpdate, content, messageId } };
  }

  return {
    method,
    read(text) {
      try {
        return readChunk(text);
      } catch {
        // A string is malformed, so the whole text is not JSON.
        return undefined;
      }
    },
  };
}

/** Where a message has its method, if the members are in the order of the schema. */
const methodAt = '{"jsonrpc":"2.0","'.length;
/** The part from a chunk's tag to its text, for each kind. */
const tagsToText = /* @__PURE__ */ chunkTags.map((tag) => `"${tag}"${beforeText}`);

/** V8's `startsWith` is much slower. */
function hasAt(text: string, at: number, part: string): boolean {
  return text.slice(at, at + part.length) === part;
}

/** Finds the end of the string that starts at `start`; the end of the text if the string does not end. */
function findStringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote > 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** A value that ends with a quote must be a string. Parsing copies it; a slice would retain the whole read. */
function parseString(text: string, start: number, end: number): string {
  return JSON.parse(text.slice(start, end)) as string;
}
