/** How many characters of a line are shown at most. */
export const lineLimit = 2_000;

/**
 * The escape sequences of ECMA-48: control sequences, such as colours; invisible strings, such as titles and links; and short
 * sequences. `stripVTControlCharacters` of Node 20 takes quadratic time for some texts. No alternative here begins inside
 * another, so this pattern reads a text once.
 */
const escapes =
  // oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[PX\]^_]|[\u0090\u0098\u009D-\u009F])\P{Cc}*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/gu;

/** Control characters, except line breaks and tabs. */
const controls = /(?![\n\r\t])[\p{Cc}\p{Bidi_Control}]/gu;

const escapeHere = new RegExp(escapes.source, "uy");

/** Where the escape sequence at this place ends; `undefined` if there is none. */
export function escapeEnd(text: string, start: number): number | undefined {
  escapeHere.lastIndex = start;
  return escapeHere.test(text) ? escapeHere.lastIndex : undefined;
}

/** Removes escape sequences and control characters, except carriage returns. */
export function withoutControls(text: string): string {
  return text.replaceAll(escapes, "").replaceAll(controls, "");
}

/**
 * Makes a foreign text safe for a terminal: removes escape sequences and control characters, which could move
 * the cursor, rewrite the screen, or answer for the user.
 */
export function printable(text: string): string {
  return withoutControls(text).replaceAll(/\r\n?/gu, "\n");
}

/** Makes a foreign text safe for a terminal, in one line. */
export function printableLine(text: string): string {
  // A pattern for breaks with the space around them would take quadratic time for long runs of space.
  const lines = printable(text).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** Cuts a line that is too long to show. */
export function cutLine(line: string): string {
  if (line.length <= lineLimit) return line;
  // Do not cut a surrogate pair.
  const beginning = line.slice(0, lineLimit).replace(/[\uD800-\uDBFF]$/u, "");
  return `${beginning}… (longer than ${lineLimit.toLocaleString("en")} characters)`;
}
