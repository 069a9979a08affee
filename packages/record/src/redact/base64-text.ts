/** The text that base64 contains. */
export interface Base64Text {
  readonly text: string;
  /** Writes a changed text as base64. */
  encode(text: string): string;
}

/**
 * Reads a text in base64 as UTF-8. Bytes that are none, such as a piece that splits a character, become characters each.
 * `undefined` if it is no base64.
 */
export function textOfBase64(base64: string): Base64Text | undefined {
  let bytes: string;
  try {
    bytes = atob(base64);
  } catch {
    return undefined;
  }
  const asBytes = { text: bytes, encode: (text: string): string => btoa(text) };
  // oxlint-disable-next-line no-control-regex -- The control characters are ASCII, too.
  if (/^[\0-\x7f]*$/u.test(bytes)) return asBytes;
  try {
    const text = decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return { text, encode: encodeUtf8 };
  } catch {
    return asBytes;
  }
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function encodeUtf8(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
