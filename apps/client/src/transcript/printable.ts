/** The most characters that are shown of a line. */
const lineLimit = 2_000;

/**
 * Escape sequences as ECMA-48 has them: of control, such as colours; strings that are not shown, such as titles and links;
 * and of few characters. `stripVTControlCharacters` of Node 20 takes the square of some texts. No part of these begins
 * inside another, so that a text is read once.
 */
const escapes =
  // oxlint-disable-next-line no-control-regex -- that is what it is about
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[PX\]^_]|[\u0090\u0098\u009D-\u009F])\P{Cc}*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/gu;

/** What a terminal acts on instead of showing it, beside what breaks and fills lines. */
const controls = /(?![\n\r\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Without escape sequences and control characters. Carriage returns stay as they are. */
export function withoutControls(text: string): string {
  return text.replaceAll(escapes, "").replaceAll(controls, "");
}

/**
 * A text from elsewhere, made safe for a terminal: without escape sequences and control characters, which
 * could move the cursor, rewrite what was shown, or answer for the user.
 */
export function printable(text: string): string {
  return withoutControls(text).replaceAll(/\r\n?/gu, "\n");
}

/** The same for what has to stay in one line. */
export function printableLine(text: string): string {
  // A pattern for breaks with the space around them would take the square of the space that stands elsewhere.
  const lines = printable(text).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** The beginning of a line that is so long that showing it would take all of the screen. */
export function cutLine(line: string): string {
  if (line.length <= lineLimit) return line;
  // Not within a character of two units.
  const beginning = line.slice(0, lineLimit).replace(/[\uD800-\uDBFF]$/u, "");
  return `${beginning}… (longer than ${lineLimit.toLocaleString("en")} characters)`;
}

/** A line that has grown, as far as any of it will be shown. */
export function grownLine(line: string, more: string): string {
  return line.length > lineLimit ? line : line + more;
}
