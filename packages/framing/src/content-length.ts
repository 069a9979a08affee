import { ContentLengthDecoder } from "./content-length-decoder.ts";
import type { Framing } from "./framing.ts";
import { assertMessageSize, defaultMaxMessageBytes } from "./limits.ts";
import { encoder, utf8Length } from "./utf8.ts";

/**
 * A header with the size before every message (TRAN-11): `Content-Length: <bytes>`, an empty line, the message. Only for peers
 * that ask for it; ACP over stdio is {@link ndjson}.
 *
 * Decoding accepts header names in any case, blanks around values, bare LF line ends, equal lengths given twice, `Content-Type`
 * with UTF-8, other `Content-` and `X-` fields, and blank lines between messages. It skips empty bodies. Everything else is an
 * issue, and decoding continues at the next header.
 */
export const contentLength: Framing = {
  name: "content-length",
  createDecoder: (sink, options) => new ContentLengthDecoder(sink, options),
  check(text, options) {
    assertMessageSize(text, options?.maxMessageBytes ?? defaultMaxMessageBytes);
  },
  encode(texts, options) {
    if (options?.isChecked !== true)
      for (const text of Array.isArray(texts) ? texts : [texts]) contentLength.check(text, options);
    return encodeWithHeaders(texts);
  },
};

/** Batches of up to a third of this, in UTF-16 code units, may be encoded message by message. */
const scratchSize = 256 * 1024;
/** More than a header takes. */
const headerRoom = 64;

let scratch: Uint8Array | undefined;
/** A guess from the last batch; only speed depends on it. */
let expectsAscii = true;

/** ASCII is fastest joined and encoded as a whole. One wide character makes that slow: see `encodeLines`. */
function encodeWithHeaders(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  if (!expectsAscii && mostBytes(texts) <= scratchSize) return encodeOneByOne(texts);
  // As if a code unit were a byte; the size of the outcome shows whether it was.
  const joined = join(texts, (text) => text.length);
  const bytes = encoder.encode(joined);
  expectsAscii = bytes.length === joined.length;
  return expectsAscii ? bytes : encoder.encode(join(texts, utf8Length));
}

function header(bytes: number): string {
  return `Content-Length: ${bytes}\r\n\r\n`;
}

function mostBytes(texts: readonly string[]): number {
  let bytes = 0;
  for (const text of texts) bytes += text.length * 3 + headerRoom;
  return bytes;
}

function join(texts: readonly string[], bytesOf: (text: string) => number): string {
  let joined = "";
  for (const text of texts) joined += header(bytesOf(text)) + text;
  return joined;
}

function encodeOneByOne(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  scratch ??= new Uint8Array(scratchSize);
  const buffer = scratch;
  let end = 0;
  let isAscii = true;
  const write = (text: string, at: number): number => encoder.encodeInto(text, buffer.subarray(at)).written;
  for (const text of texts) {
    const guess = header(text.length).length;
    const bytes = write(text, end + guess);
    if (bytes !== text.length) isAscii = false;
    const head = header(bytes);
    if (head.length !== guess) buffer.copyWithin(end + head.length, end + guess, end + guess + bytes);
    write(head, end);
    end += head.length + bytes;
  }
  expectsAscii = isAscii;
  return new Uint8Array(buffer.subarray(0, end));
}
