import { DroppedBytes } from "./dropped-bytes.ts";
import { encodeFramed } from "./encode-framed.ts";
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
    return encodeFramed(texts, { suffix: "\n" });
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
    if (this.#held.size > 0 || this.#dropped !== undefined) {
      const end = chunk.indexOf(LINE_FEED);
      if (end === -1) return this.#hold(chunk);
      this.#hold(chunk.subarray(0, end));
      this.#finishHeld();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last >= start) this.#lines(chunk.subarray(start, last));
    start = Math.max(start, last + 1);
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  end(): void {
    if (this.#held.size > 0 || this.#dropped !== undefined) this.#finishHeld();
  }

  #hold(bytes: Uint8Array): void {
    if (this.#dropped === undefined) {
      if (this.#held.size + bytes.length <= this.#limit + lineSlack) return this.#held.add(bytes);
      this.#dropped = new DroppedBytes();
      for (const piece of this.#held.pieces()) this.#dropped.add(piece);
      this.#held.clear();
    }
    this.#dropped.add(bytes);
  }

  #finishHeld(): void {
    if (this.#dropped === undefined) return this.#line(this.#held.take());
    this.#reportTooLarge(this.#dropped);
    this.#dropped = undefined;
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
    if (line.length > this.#limit) return this.#reportTooLarge(droppedFrom(line));
    const text = decodeUtf8(line);
    if (text !== undefined) return this.#text(text);
    this.#sink.issue({
      code: "invalid-utf8",
      message: `Left out a message of ${line.length} bytes that is not valid UTF-8`,
      ...droppedFrom(line).excerpt(),
    });
  }

  /** A line of which the marks are gone. */
  #text(line: string): void {
    // Most lines are objects, which are neither blank nor a header.
    if (line.charCodeAt(0) === OPENING_BRACE && !this.#peerSendsHeaders) return this.#sink.message(line);
    if (isBlank(line)) return;
    if (this.#isHeader(line)) return this.#reportOtherFraming(line);
    this.#sink.message(line);
  }

  /** A header on a line of its own, or, once there was one, also behind the message before it. */
  #isHeader(line: string): boolean {
    if (this.#peerSendsHeaders) return /content-length[ \t]*:[ \t]*\d+[ \t]*$/i.test(line.slice(-longestHeader));
    this.#peerSendsHeaders = line.length <= longestHeader && /^content-length[ \t]*:[ \t]*\d+[ \t]*$/i.test(line);
    return this.#peerSendsHeaders;
  }

  #reportOtherFraming(line: string): void {
    this.#sink.issue({
      code: "unexpected-bytes",
      message:
        "Found a Content-Length header where a line of JSON should stand: the peer seems to use content-length framing, this side ndjson",
      ...droppedFrom(encoder.encode(line)).excerpt(),
    });
  }

  #reportTooLarge(dropped: DroppedBytes): void {
    dropped.dropCarriageReturn();
    this.#sink.issue({
      code: "message-too-large",
      message: `Left out a message of ${dropped.size} bytes, the limit is ${this.#limit}`,
      limit: this.#limit,
      ...dropped.excerpt(),
    });
  }
}

function droppedFrom(bytes: Uint8Array): DroppedBytes {
  const dropped = new DroppedBytes();
  dropped.add(bytes);
  return dropped;
}

function withoutMarks(line: Uint8Array): Uint8Array {
  const start = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  const end = line[line.length - 1] === CARRIAGE_RETURN ? line.length - 1 : line.length;
  return line.subarray(start, Math.max(start, end));
}
