import { keptBytes } from "./limits.ts";
import { decodeUtf8Leniently } from "./utf8.ts";

/** The length of each end that an issue shows of a text, in UTF-16 code units: at most 4 KiB of UTF-8. */
const shownUnits = 1024;

/** Both ends of a text. */
export function excerptOfText(content: string): { readonly head: string; readonly tail: string } {
  const text = typeof content === "string" ? content : "";
  return { head: text.slice(0, shownUnits), tail: text.slice(Math.max(shownUnits, text.length - shownUnits)) };
}

/** What an issue shows of a discarded message. */
export interface Excerpt {
  readonly bytes: number;
  readonly head: string;
  readonly tail?: string;
}

/**
 * Decodes both ends of a message, whole characters only.
 *
 * @param ends The message, or at least its first `keptBytes + 1` and its last `keptBytes` bytes.
 * @param bytes Its size.
 */
export function excerptOf(ends: Uint8Array, bytes: number = ends.length): Excerpt {
  if (ends.length <= keptBytes) return { bytes, head: decodeUtf8Leniently(ends) };
  const headEnd = characterAt(ends, keptBytes, -1);
  let tailStart = ends.length - keptBytes;
  // If nothing is missing in between, a character on the border belongs to the tail.
  tailStart = tailStart > headEnd ? characterAt(ends, tailStart, 1) : headEnd;
  return {
    bytes,
    head: decodeUtf8Leniently(ends.subarray(0, headEnd)),
    tail: decodeUtf8Leniently(ends.subarray(tailStart)),
  };
}

/** Finds where a character starts: at `index`, or up to three bytes before or behind it. */
function characterAt(bytes: Uint8Array, index: number, step: 1 | -1): number {
  let at = index;
  while (at !== index + 3 * step && (bytes[at]! & 0xc0) === 0x80) at += step;
  return at;
}
