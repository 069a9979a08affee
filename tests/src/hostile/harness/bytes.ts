import type { FramingName, Piece } from "../row.ts";

/** What `<session>` and the like stand for. */
export type Names = Readonly<Record<string, string>>;

/** The bytes of text in pieces; what is repeated is made in one step. */
export function bytesOf(pieces: readonly Piece[], names: Names, encoding: "utf8" | "latin1" = "utf8"): Buffer[] {
  return pieces.map((piece) => {
    if (typeof piece === "string") return Buffer.from(fillIn(piece, names), encoding);
    const unit = Buffer.from(fillIn(piece.repeat, names), encoding);
    return Buffer.alloc(unit.length * piece.times, unit);
  });
}

/** A message with its frame. */
export function framed(message: readonly Buffer[], framing: FramingName): Buffer[] {
  if (framing === "ndjson") return [...message, Buffer.from("\n")];
  const size = message.reduce((sum, part) => sum + part.length, 0);
  return [Buffer.from(`Content-Length: ${size}\r\n\r\n`), ...message];
}

/** The same message many times, each with its number. */
export function flood(message: string, times: number, names: Names, framing: FramingName): Buffer[] {
  const texts = Array.from({ length: times }, (_, index) => fillIn(message, { ...names, n: String(index + 1) }));
  return texts.flatMap((text) => framed([Buffer.from(text)], framing));
}

function fillIn(text: string, names: Names): string {
  return text.includes("<")
    ? text.replaceAll(/<(session|id|n)>/gu, (whole, name: string) => names[name] ?? whole)
    : text;
}
