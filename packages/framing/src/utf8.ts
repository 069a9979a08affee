/** Shared, since it keeps no state: every call encodes or decodes a whole piece. */
// Marked as pure: bundlers would keep them for whoever decodes nothing.
export const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = /* @__PURE__ */ new TextDecoder();
/**
 * On Deno a strict decoder makes strings of two bytes for each character, also of ASCII: a third of the memory that a
 * large message takes, and a sixth of the time. Others have no use for a second one: Node 20 keeps another copy of a
 * large text that is searched.
 */
const quick = /* @__PURE__ */ quickDecoder();

function quickDecoder(): TextDecoder | undefined {
  return "Deno" in globalThis ? new TextDecoder("utf-8", { ignoreBOM: true }) : undefined;
}

/** The text of `bytes`, or `undefined` if they are not UTF-8 (TRAN-01). A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = quick?.decode(bytes);
  // What is not UTF-8 leaves a U+FFFD; so does one that was sent.
  if (text !== undefined && !text.includes("\ufffd")) return text;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of `bytes` for people and for searching, with U+FFFD in place of what is not UTF-8, and without a byte order mark. */
export function decodeUtf8Leniently(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** How much text is counted at a time, in bytes. */
const countedAtOnce = 16 * 1024;

/**
 * How many bytes `text` takes as UTF-8. A lone surrogate takes three, as U+FFFD does.
 *
 * Encodes it to find out: of plain text an encoder does 50 MB in 4 ms, a loop over its characters in 90.
 */
export function utf8Length(text: string): number {
  const scratch = new Uint8Array(countedAtOnce);
  let bytes = 0;
  for (let start = 0; start < text.length;) {
    // There is no room for the last code unit, so that no character is cut in two but where the text ends.
    const { read, written } = encoder.encodeInto(text.slice(start, start + countedAtOnce + 1), scratch);
    start += read;
    bytes += written;
  }
  return bytes;
}

/** A byte order mark in front of a message is no part of it. */
export function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Nothing but white space. Looks at one character of any other text. */
export function isBlank(text: string): boolean {
  return text.length === 0 || (text.charCodeAt(0) <= 0x20 && text.trim() === "");
}
