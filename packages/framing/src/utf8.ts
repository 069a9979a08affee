// Shared, since they keep no state: every call encodes or decodes a whole piece. Marked as pure, so that bundles drop unused ones.
export const encoder: TextEncoder = /* @__PURE__ */ new TextEncoder();
const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = /* @__PURE__ */ new TextDecoder();
/** Deno's strict decoder makes strings of two bytes a character, even of ASCII. Elsewhere a second decoder only costs memory. */
const compact = /* @__PURE__ */ createCompactDecoder();

function createCompactDecoder(): TextDecoder | undefined {
  return "Deno" in globalThis ? new TextDecoder("utf-8", { ignoreBOM: true }) : undefined;
}

/** Decodes UTF-8; returns `undefined` for other bytes (TRAN-01). Keeps a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = compact?.decode(bytes);
  // Bytes that are not UTF-8 become U+FFFD; but the peer may have sent one.
  if (text !== undefined && !text.includes("\ufffd")) return text;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes for people and for searching: other bytes become U+FFFD, and a byte order mark is dropped. */
export function decodeUtf8Leniently(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** How much text is counted at a time, in bytes. */
const countedAtOnce = 16 * 1024;

/**
 * Counts the bytes of `text` as UTF-8. A lone surrogate takes three, as U+FFFD does. It encodes the text, since an encoder is
 * much faster than a loop over its characters.
 */
export function utf8Length(text: string): number {
  const scratch = new Uint8Array(countedAtOnce);
  let bytes = 0;
  for (let start = 0; start < text.length;) {
    // Without room for the last code unit, no character is cut in two except at the end of the text.
    const { read, written } = encoder.encodeInto(text.slice(start, start + countedAtOnce + 1), scratch);
    start += read;
    bytes += written;
  }
  return bytes;
}

/** Drops a byte order mark, which is no part of a message. */
export function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Whether a text is only white space. Looks at one character of any other text. */
export function isBlank(text: string): boolean {
  return text.length === 0 || (text.charCodeAt(0) <= 0x20 && text.trim() === "");
}
