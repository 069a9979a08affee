const byteOrderMark = "\uFEFF";

/** The end of the first line of a text, which the others are taken to have as well. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  return /\r?\n/u.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** A text with other line ends. */
export function withLineEnds(text: string, lineEnd: "\n" | "\r\n"): string {
  return text.replaceAll(/\r?\n/gu, lineEnd);
}

/** A text for a file that has a text already: with the line ends and the byte order mark of that one. */
export function inStyleOf(existing: string, text: string): string {
  const mark = existing.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark) ? byteOrderMark : "";
  return mark + (lineEndOf(existing) === "\r\n" ? withLineEnds(text, "\r\n") : text);
}
