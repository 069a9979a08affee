import { encodeLines } from "./encode-lines.ts";
import { excerptOf } from "./excerpt.ts";
import type { FrameDecoder, FrameSink, Framing, FramingOptions } from "./framing.ts";
import { createHeldBytes } from "./held-bytes.ts";
import { assertMessageSize, defaultMaxMessageBytes } from "./limits.ts";
import { decodeUtf8, encoder } from "./utf8.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;
const OPENING_BRACE = 0x7b;
/** A line may have a byte order mark and a carriage return beyond its message. */
const lineSlack = 4;
/** Only so much of a line is searched for a header. */
const longestHeader = 64;

/**
 * Newline-delimited JSON: one message a line (TRAN-04), the framing of ACP over stdio.
 *
 * Decoding accepts CRLF line ends and byte order marks, skips blank lines, and delivers every other line unchanged, JSON or not.
 * A `Content-Length` header is an issue that says that the peer uses the other framing (TRAN-12). Encoding throws a `TypeError`
 * for a text with a raw line break (TRAN-05); `JSON.stringify` without indentation never writes one.
 */
export const ndjson: Framing = {
  name: "ndjson",
  createDecoder: ndjsonDecoder,
  check(text, options) {
    assertMessageSize(text, options?.maxMessageBytes ?? defaultMaxMessageBytes);
    // A search is slow for a text that was joined from several: the engine makes one piece of it.
    if (options?.isStringified !== true && (text.includes("\n") || text.includes("\r"))) {
      throw new TypeError("Cannot send a raw line break as part of a line, encode messages without indentation");
    }
  },
  encode(texts, options) {
    if (options?.isChecked !== true)
      for (const text of Array.isArray(texts) ? texts : [texts]) ndjson.check(text, options);
    return encodeLines(texts);
  },
};

function ndjsonDecoder(sink: FrameSink, options: FramingOptions | undefined): FrameDecoder {
  const limit = options?.maxMessageBytes ?? defaultMaxMessageBytes;
  /** The start of a line whose end was not received yet. */
  const held = createHeldBytes(limit + lineSlack);
  /** The peer has sent a header: it separates messages by headers, not by lines. */
  let peerSendsHeaders = false;

  function push(chunk: Uint8Array): void {
    let start = 0;
    if (held.size > 0) {
      start = chunk.indexOf(LINE_FEED) + 1;
      if (start === 0) return held.add(chunk);
      held.add(chunk.subarray(0, start - 1));
      end();
    }
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last >= start) {
      readLines(chunk.subarray(start, last));
      start = last + 1;
    }
    if (start < chunk.length) held.add(chunk.subarray(start));
  }

  function end(): void {
    if (held.size > 0) deliver(takeHeld());
  }

  /** A separate function, so that nothing holds the bytes while a large message is parsed. */
  function takeHeld(): string | undefined {
    const { size } = held;
    return readLine(held.take(), size);
  }

  /** Reads whole lines, the last one without its line feed. */
  function readLines(bytes: Uint8Array): void {
    // One decoder call and slices of its result are much faster than a call for each line.
    const text = bytes.length <= limit ? decodeUtf8(bytes) : undefined;
    // If one line is too large or is not UTF-8, the others must be delivered.
    if (text === undefined) return readLinesAlone(bytes);
    let start = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", start)) {
      deliverPart(text, start, at);
      start = at + 1;
    }
    deliverPart(text, start, text.length);
  }

  function deliverPart(text: string, start: number, stop: number): void {
    const from = text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
    deliver(text.slice(from, text.charCodeAt(stop - 1) === CARRIAGE_RETURN ? stop - 1 : stop));
  }

  function readLinesAlone(bytes: Uint8Array): void {
    for (let start = 0, at = 0; at >= 0; start = at + 1) {
      at = bytes.indexOf(LINE_FEED, start);
      deliver(readLine(bytes.subarray(start, at < 0 ? undefined : at)));
    }
  }

  /**
   * Decodes a line; reports a line that is discarded, and returns `undefined`.
   *
   * @param size The size of the line; `ends` are all of it, or both ends.
   */
  function readLine(ends: Uint8Array, size: number = ends.length): string | undefined {
    const begin = ends[0] === 0xef && ends[1] === 0xbb && ends[2] === 0xbf ? 3 : 0;
    const message = ends.subarray(begin, ends.at(-1) === CARRIAGE_RETURN ? -1 : ends.length);
    const bytes = size - ends.length + message.length;
    const isTooLarge = bytes > limit;
    const text = isTooLarge ? undefined : decodeUtf8(message);
    if (text !== undefined) return text;
    const what = `Left out a message of ${bytes} bytes`;
    sink.issue({
      ...(isTooLarge
        ? { code: "message-too-large", message: `${what}, the limit is ${limit}`, limit }
        : { code: "invalid-utf8", message: `${what} that is not valid UTF-8` }),
      ...excerptOf(message, bytes),
    });
    return undefined;
  }

  /** Delivers the text of a line, without its marks. */
  function deliver(text: string | undefined): void {
    if (text === undefined) return;
    // Most lines are objects, which are neither blank nor a header.
    if (text.charCodeAt(0) === OPENING_BRACE && !peerSendsHeaders) return sink.message(text);
    if (text.trim() === "") return;
    // A header on its own line, or, once there was one, also behind a message.
    const at = text.slice(-longestHeader).search(/content-length\s*:\s*\d+\s*$/i);
    peerSendsHeaders ||= at === 0 && text.length <= longestHeader;
    if (at < 0 || !peerSendsHeaders) return sink.message(text);
    const message = "Found a header in place of a line of JSON: the peer seems to use content-length framing";
    sink.issue({ code: "unexpected-bytes", message, ...excerptOf(encoder.encode(text)) });
  }

  return { push, end };
}
