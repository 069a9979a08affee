import { nearestLine } from "./nearest-line.ts";

/** One replacement, as the model writes it. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** Whether to replace it everywhere. Default: it must be there once. */
  readonly all?: boolean;
}

/** A text with replacements, and where they are: lines counted from 1. */
export interface ReplacedText {
  readonly text: string;
  readonly lines: readonly number[];
}

/**
 * Makes replacements, each in what the one before has left.
 *
 * @throws {Error} one of them cannot be made. The model reads the sentence, which says how it can.
 */
export function replaceTexts(text: string, replacements: readonly Replacement[]): ReplacedText {
  let replaced: ReplacedText = { text, lines: [] };
  for (const [index, replacement] of replacements.entries()) {
    const which = replacements.length === 1 ? "oldText" : `oldText of edit ${index + 1}`;
    const { text: next, lines } = replaceText(replaced.text, replacement, which);
    replaced = { text: next, lines: [...replaced.lines, ...lines] };
  }
  return replaced;
}

function replaceText(text: string, { oldText, newText, all = false }: Replacement, which: string): ReplacedText {
  if (oldText === "") throw new Error(`${which} is empty. To create a file or replace all of it, use write.`);
  if (oldText === newText) throw new Error(`${which} and newText are the same: that changes nothing.`);
  const lineEnd = lineEndOf(text);
  // Models write line feeds, whatever the file has.
  const old = [withLineEnds(oldText, lineEnd), oldText].find((one) => text.includes(one));
  if (old === undefined) throw new Error(describeMissing(text, oldText, which));
  const parts = text.split(old);
  const count = parts.length - 1;
  const lines = linesOf(parts, old);
  if (count > 1 && !all) {
    throw new Error(
      `${which} is in the file ${count} times, in the lines ${lines.join(", ")}. Add text around the one that you mean, or set all to replace all of them.`,
    );
  }
  return { text: parts.join(withLineEnds(newText, lineEnd)), lines };
}

/** The lines in which the gaps between the parts begin. */
function linesOf(parts: readonly string[], between: string): number[] {
  const lines: number[] = [];
  let line = 1;
  for (const part of parts.slice(0, -1)) {
    line += countLineFeeds(part);
    lines.push(line);
    line += countLineFeeds(between);
  }
  return lines;
}

function countLineFeeds(text: string): number {
  return text.split("\n").length - 1;
}

function describeMissing(text: string, oldText: string, which: string): string {
  const nearest = nearestLine(text, oldText);
  const start = `${which} is not in the file: it must be there exactly so, with its white space.`;
  if (nearest === undefined) return `${start} Nothing in the file is like it. Read the file again.`;
  return `${start} The nearest line is ${nearest.line}: ${JSON.stringify(nearest.text)}`;
}

const byteOrderMark = "\uFEFF";

/** The end of the first line of a text, which the others are taken to have as well. */
function lineEndOf(text: string): "\n" | "\r\n" {
  return /\r?\n/u.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** A text with other line ends. */
function withLineEnds(text: string, lineEnd: "\n" | "\r\n"): string {
  return text.replaceAll(/\r?\n/gu, lineEnd);
}

/** A text for a file that has a text already: with the line ends and the byte order mark of that one. */
export function inStyleOf(existing: string, text: string): string {
  const mark = existing.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark) ? byteOrderMark : "";
  return mark + (lineEndOf(existing) === "\r\n" ? withLineEnds(text, "\r\n") : text);
}
