import { stripVTControlCharacters } from "node:util";

/**
 * A text from elsewhere, made safe for a terminal: without escape sequences and control characters, which
 * could move the cursor, rewrite what was shown, or answer for the user.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "");
}

/** The same for what has to stay in one line. */
export function printableLine(text: string): string {
  return printable(text)
    .replaceAll(/\s*\n\s*/gu, " ")
    .trim();
}
