import type { List } from "../shared/list.ts";

// By the list, which never changes: whoever shows the same terminal again does not put it together again.
const texts = new WeakMap<List<string>, string>();

/**
 * The bytes of a terminal's output, control sequences included. A piece that is not base64 is left out.
 *
 * The time it takes grows with the output. To follow a terminal as it writes, decode what `output.slice(count)` gives: each
 * piece is base64 of its own.
 */
export function terminalBytes(output: Iterable<string>): Uint8Array<ArrayBuffer> {
  const pieces = Array.from(output, bytesOf);
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** The same as text in UTF-8, also where a character is split over two pieces. Takes no time for the same list again. */
export function terminalText(output: List<string>): string {
  const known = texts.get(output);
  if (known !== undefined) return known;
  const text = new TextDecoder().decode(terminalBytes(output));
  texts.set(output, text);
  return text;
}

function bytesOf(base64: string): Uint8Array {
  let binary = "";
  try {
    binary = atob(base64);
  } catch {
    // Whoever shows a terminal cannot do anything about it.
  }
  return Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
}
