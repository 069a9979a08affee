import { encoder, utf8Length } from "./utf8.ts";

/** Batches of up to a third of this, in UTF-16 code units, may be encoded message by message. */
const scratchSize = 256 * 1024;
/** More than a header takes. */
const headerRoom = 64;

let scratch: Uint8Array | undefined;
/** A guess, from one batch to the next; nothing but speed depends on it. */
let expectsAscii = true;

/**
 * The bytes of `texts`, each with its header, in one piece.
 *
 * ASCII is quickest joined and encoded as a whole. One wide character makes the whole string wide,
 * and joining and encoding that takes several times as long as encoding message by message.
 */
export function encodeWithHeaders(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  if (!expectsAscii && mostBytes(texts) <= scratchSize) return encodeOneByOne(texts);
  // As if a code unit were a byte; the size of the outcome tells.
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
