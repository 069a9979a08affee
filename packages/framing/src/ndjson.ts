import { DroppedBytes } from "./dropped-bytes.ts";
import { encodeLines } from "./encode-lines.ts";
import { type Excerpt, excerptOf } from "./excerpt.ts";
import type { FrameDecoder, FrameSink, Framing, FramingOptions } from "./framing.ts";
import { HeldBytes } from "./held-bytes.ts";
import { assertMessageSize, defaultMaxMessageBytes } from "./limits.ts";
import { decodeUtf8, encoder, isBlank } from "./utf8.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;
const OPENING_BRACE = 0x7b;
/** What a line may hold beyond its message: a byte order mark and a carriage return. */
const lineSlack = 4;
/** More of a line need not be searched for a header. */
const longestHeader = 64;

/**
 * Newline-delimited JSON: one message a line (TRAN-04), the framing of ACP over stdio.
 *
 * Decoding takes CRLF line ends and byte order marks, passes over blank lines, and delivers every
 * other line as it is, JSON or not, except a `Content-Length` header: that is an issue which says
 * that the peer uses the other framing (TRAN-12). Encoding throws a `TypeError` for a text with a
 * raw line break (TRAN-05); `JSON.stringify` without indentation never writes one.
 */
export const ndjson: Framing = {
  name: "ndjson",
  createDecoder: (sink, options) => new NdjsonDecoder(sink, options),
  check(text, options) {
    assertMessageSize(text, options?.maxMessageBytes ?? defaultMaxMessageBytes);
    if (text.includes("\n") || text.includes("\r")) {
      throw new TypeError("Cannot send a message with a raw line break as one line, encode it without indentation");
    }
  },
  encode(texts, options) {
    if (options?.isChecked !== true) for (const text of texts) ndjson.check(text, options);
    return encodeLines(texts);
  },
};

class NdjsonDecoder implements FrameDecoder {
  readonly #sink: FrameSink;
  readonly #limit: number;
  /** The beginning of a line whose end has not come yet. */
  readonly #held: HeldBytes = new HeldBytes();
  /** The same, if that line is over the limit already. */
  #dropped: DroppedBytes | undefined;
  /** The peer has sent a header: what it sends is told apart by headers, not by lines. */
  #peerSendsHeaders = false;

  constructor(sink: FrameSink, options: FramingOptions | undefined) {
    this.#sink = sink;
    this.#limit = options?.maxMessageBytes ?? defaultMaxMessageBytes;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    if (this.#isInLine()) {
      start = chunk.indexOf(LINE_FEED) + 1;
      if (start === 0) return this.#hold(chunk);
      this.#hold(chunk.subarray(0, start - 1));
      this.end();
    }
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last >= start) {
      this.#lines(chunk.subarray(start, last));
      start = last + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  end(): void {
    if (!this.#isInLine()) return;
    const dropped = this.#dropped;
    if (dropped === undefined) return this.#line(this.#held.take());
    this.#dropped = undefined;
    dropped.dropCarriageReturn();
    this.#reportTooLarge(dropped.excerpt());
  }

  #isInLine(): boolean {
    return this.#held.size > 0 || this.#dropped !== undefined;
  }

  #hold(bytes: Uint8Array): void {
    if (this.#dropped === undefined) {
      if (this.#held.size + bytes.length <= this.#limit + lineSlack) return this.#held.add(bytes);
      this.#dropped = new DroppedBytes();
      for (const piece of this.#held.takePieces()) this.#dropped.add(piece);
    }
    this.#dropped.add(bytes);
  }

  /** Whole lines, the last one without its line feed. */
  #lines(bytes: Uint8Array): void {
    // One decoder call and slices of its result cost a fraction of a call for each line (a fifth, for lines of 200 bytes).
    const text = bytes.length <= this.#limit ? decodeUtf8(bytes) : undefined;
    if (text === undefined) return this.#linesOneByOne(bytes);
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#textBetween(text, start, end);
      start = end + 1;
    }
    this.#textBetween(text, start, text.length);
  }

  #textBetween(text: string, start: number, end: number): void {
    const from = text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
    const to = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    this.#text(text.slice(from, to));
  }

  /** For lines of which one is too large or is not UTF-8: the others must arrive. */
  #linesOneByOne(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      this.#line(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#line(bytes.subarray(start));
  }

  #line(bytes: Uint8Array): void {
    const line = withoutMarks(bytes);
    if (line.length > this.#limit) return this.#reportTooLarge(excerptOf(line));
    const text = decodeUtf8(line);
    if (text !== undefined) return this.#text(text);
    const message = `Left out a message of ${line.length} bytes that is not valid UTF-8`;
    this.#sink.issue({ code: "invalid-utf8", message, ...excerptOf(line) });
  }

  /** A line of which the marks are gone. */
  #text(line: string): void {
    // Most lines are objects, which are neither blank nor a header.
    if (line.charCodeAt(0) === OPENING_BRACE && !this.#peerSendsHeaders) return this.#sink.message(line);
    if (isBlank(line)) return;
    if (!this.#isHeader(line)) return this.#sink.message(line);
    const message =
      "Found a Content-Length header where a line of JSON should stand: the peer seems to use content-length framing, this side ndjson";
    this.#sink.issue({ code: "unexpected-bytes", message, ...excerptOf(encoder.encode(line)) });
  }

  /** A header on a line of its own, or, once there was one, also behind the message before it. */
  #isHeader(line: string): boolean {
    const at = line.slice(-longestHeader).search(/content-length[ \t]*:[ \t]*\d+[ \t]*$/i);
    if (at === 0 && line.length <= longestHeader) this.#peerSendsHeaders = true;
    return at !== -1 && this.#peerSendsHeaders;
  }

  #reportTooLarge(excerpt: Excerpt): void {
    const limit = this.#limit;
    const message = `Left out a message of ${excerpt.bytes} bytes, the limit is ${limit}`;
    this.#sink.issue({ code: "message-too-large", message, limit, ...excerpt });
  }
}

function withoutMarks(line: Uint8Array): Uint8Array {
  const start = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  const end = line.at(-1) === CARRIAGE_RETURN ? -1 : line.length;
  return line.subarray(start, end);
}
