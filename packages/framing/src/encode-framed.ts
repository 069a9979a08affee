import { encoder, utf8Length } from "./utf8.ts";

/** What stands around each message. */
export interface Frame {
  /** What stands before a message of so many bytes; ASCII. Left out if nothing does. */
  readonly prefix?: (bytes: number) => string;
  /** What stands behind it; ASCII. */
  readonly suffix: string;
}

/** Batches of up to a third of this, in UTF-16 code units, may be encoded message by message. */
const scratchSize = 256 * 1024;
/** More than a frame takes. */
const frameRoom = 64;

let scratch: Uint8Array | undefined;
/** A guess, from one batch to the next; nothing but speed depends on it. */
let expectsAscii = true;

/**
 * The bytes of `texts`, framed, in one piece.
 *
 * ASCII is quickest joined and encoded as a whole. One wide character makes the whole string wide,
 * and joining and encoding that takes several times as long as encoding message by message.
 */
export function encodeFramed(texts: readonly string[], frame: Frame): Uint8Array<ArrayBuffer> {
  if (!expectsAscii) {
    const size = mostBytes(texts);
    if (size <= scratchSize) return encodeOneByOne(texts, frame);
  }
  const [only = ""] = texts;
  if (expectsAscii && frame.prefix === undefined && texts.length === 1 && only.length > scratchSize) {
    const bytes = encodeLarge(only, frame.suffix);
    if (bytes !== undefined) return bytes;
  }
  // As if a code unit were a byte; the size of the outcome tells.
  const joined = join(texts, frame, (text) => text.length);
  const bytes = encoder.encode(joined);
  expectsAscii = bytes.length === joined.length;
  return expectsAscii || frame.prefix === undefined ? bytes : encoder.encode(join(texts, frame, utf8Length));
}

/** A large message of ASCII is not copied once more to get its suffix: half the time, for 50 MB. */
function encodeLarge(text: string, suffix: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(text.length + suffix.length);
  if (encoder.encodeInto(text, bytes).read < text.length) return undefined;
  encoder.encodeInto(suffix, bytes.subarray(text.length));
  return bytes;
}

function mostBytes(texts: readonly string[]): number {
  let bytes = 0;
  for (const text of texts) bytes += text.length * 3 + frameRoom;
  return bytes;
}

function join(texts: readonly string[], { prefix, suffix }: Frame, bytesOf: (text: string) => number): string {
  let joined = "";
  for (const text of texts) joined += prefix === undefined ? text + suffix : prefix(bytesOf(text)) + text + suffix;
  return joined;
}

function encodeOneByOne(texts: readonly string[], { prefix, suffix }: Frame): Uint8Array<ArrayBuffer> {
  scratch ??= new Uint8Array(scratchSize);
  const buffer = scratch;
  let end = 0;
  let isAscii = true;
  const write = (text: string, at: number): number => encoder.encodeInto(text, buffer.subarray(at)).written;
  for (const text of texts) {
    const guess = prefix?.(text.length) ?? "";
    const bytes = write(text, end + guess.length);
    if (bytes !== text.length) isAscii = false;
    const header = prefix?.(bytes) ?? "";
    if (header.length !== guess.length) {
      buffer.copyWithin(end + header.length, end + guess.length, end + guess.length + bytes);
    }
    if (header !== "") write(header, end);
    end += header.length + bytes;
    end += write(suffix, end);
  }
  expectsAscii = isAscii;
  return new Uint8Array(buffer.subarray(0, end));
}
