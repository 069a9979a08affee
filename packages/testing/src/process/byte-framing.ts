import type { Framing } from "@acp/framing";

/** No framing: each piece of bytes is a text in which each character is one byte, in both directions. */
export const byteFraming: Framing = {
  name: "ndjson",
  createDecoder: (sink) => ({ push: (chunk) => sink.message(textOf(chunk)), end: () => {} }),
  check: () => {},
  encode: (texts) => bytesOf(texts.join("")),
};

const piece = 8192;

/** A text in which each character is one byte. */
export function textOf(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += piece)
    text += String.fromCharCode(...bytes.subarray(from, from + piece));
  return text;
}

/** The bytes of such a text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
