import { encoder } from "./utf8.ts";

const LINE_FEED = 0x0a;
/** A batch is small up to a third of this, in UTF-16 code units. */
const scratchSize = 256 * 1024;

let scratch: Uint8Array<ArrayBuffer> | undefined;
/** A guess from the last batch; only speed depends on it. */
let expectsAscii = true;

/**
 * Encodes `texts` in one piece, with a line feed behind each.
 *
 * A small batch of ASCII is fastest joined and encoded as a whole. One wide character makes the whole string wide, which is slow
 * to join and encode, so such batches are encoded text by text. So is a large batch while it is ASCII, since its size is known.
 */
export function encodeLines(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  let size = texts.length;
  for (const text of texts) size += text.length;
  const isLarge = size * 3 > scratchSize;
  if (isLarge === expectsAscii) {
    const buffer = isLarge ? new Uint8Array(size) : (scratch ??= new Uint8Array(scratchSize));
    const end = writeLines(texts, buffer);
    expectsAscii = end === size;
    if (!isLarge) return new Uint8Array(buffer.subarray(0, end));
    if (expectsAscii) return buffer;
  }
  let joined = "";
  for (const text of texts) joined += `${text}\n`;
  const bytes = encoder.encode(joined);
  expectsAscii = bytes.length === size;
  return bytes;
}

/** Writes lines into `buffer`. Returns where they end; -1 if they do not fit. */
function writeLines(texts: readonly string[], buffer: Uint8Array): number {
  let end = 0;
  for (const text of texts) {
    const { read, written } = encoder.encodeInto(text, buffer.subarray(end));
    if (read < text.length) return -1;
    end += written;
    buffer[end++] = LINE_FEED;
  }
  return end;
}
