import { visibleText } from "@acp/core/state";

import { breakable, charactersOf, textWidth } from "./text-width.ts";
import type { Format } from "./format.ts";

/** A piece of text with its formats. Its text is safe for a terminal. */
export interface Span {
  readonly text: string;
  readonly formats: readonly Format[];
}

/** One line of a screen. */
export type Line = readonly Span[];

/** A piece of text that is safe for a terminal already, with its formats: see `printable` of `@acp/render/text`. */
export function span(text: string, ...formats: readonly Format[]): Span {
  return { text, formats };
}

/** The number of columns that a line takes. */
export function lineWidth(line: Line): number {
  return textWidth(textOf(line));
}

/** The text of a line without its formats. */
export function textOf(line: Line): string {
  return line.map(({ text }) => text).join("");
}

/** Puts `first` before the first line, and `rest` before all others. */
export function indent(lines: readonly Line[], first: Line, rest: Line = first): Line[] {
  return lines.map((line, index) => [...(index === 0 ? first : rest), ...line]);
}

/** Breaks a text between words, and where it has line breaks; keeps the space at the beginning of its lines. */
export function wrapSpans(spans: Line, width: number): Line[] {
  return cut(spans, wordRanges(textOf(spans), Math.max(1, width)));
}

/** Breaks a text where the line is full, as terminals do: for code. */
export function fillSpans(spans: Line, width: number): Line[] {
  const text = textOf(spans);
  const ranges: Range[] = [];
  let at = 0;
  for (const line of text.split("\n")) {
    ranges.push(...filledRanges(line, at, Math.max(1, width)));
    at += line.length + 1;
  }
  return cut(spans, ranges);
}

/** Cuts a line that is too wide, and marks that with an ellipsis. */
export function truncate(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const [range = { start: 0, end: 0 }] = filledRanges(textOf(line), 0, Math.max(1, width - 1));
  const [kept = []] = cut(line, [range]);
  return [...kept, span("…", ...(kept.at(-1)?.formats ?? []))];
}

/** The rest of a line, from a place in its text. */
export function lineFrom(line: Line, start: number): Line {
  const { length } = textOf(line);
  return start >= length ? [] : (cut(line, [{ start, end: length }])[0] ?? []);
}

/** Makes one span of neighbours that look the same. */
export function joinSpans(line: Line): Line {
  const joined: Span[] = [];
  for (const { text, formats } of line) {
    const last = joined.at(-1);
    if (last !== undefined && last.formats.join() === formats.join())
      joined.splice(-1, 1, { text: last.text + text, formats });
    else joined.push({ text, formats });
  }
  return joined;
}

/** Gives a part of a line other formats. */
export function withFormats(line: Line, start: number, end: number, ...formats: readonly Format[]): Line {
  const ranges = [
    { start: 0, end: start },
    { start, end },
    { start: end, end: textOf(line).length },
  ];
  const [before = [], part = [], after = []] = cut(line, ranges);
  return [...before, { text: textOf(part), formats }, ...after];
}

/** Replaces tabs with spaces up to the next multiple of four columns. */
export function withoutTabs(text: string): string {
  if (!text.includes("\t")) return text;
  return text
    .split("\n")
    .map((line) => {
      let shown = "";
      for (const [index, part] of line.split("\t").entries()) {
        if (index > 0) shown += " ".repeat(4 - (textWidth(shown) % 4));
        shown += part;
      }
      return shown;
    })
    .join("\n");
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the lines of a text begin and end, if it breaks between words. */
function wordRanges(text: string, width: number): Range[] {
  const ranges: Range[] = [];
  let at = 0;
  let start = 0;
  let end = 0;
  let column = 0;
  let space = 0;
  for (const part of text.match(/\n|[^\S\n]+|\S+/gu) ?? []) {
    if (part === "\n") {
      ranges.push({ start, end });
      at += 1;
      [start, end, column, space] = [at, at, 0, 0];
      continue;
    }
    if (part.trim() === "") {
      space += textWidth(part);
      at += part.length;
      continue;
    }
    for (const word of breakable(part)) {
      const taken = textWidth(word);
      if (end > start && column + space + taken > width) {
        ranges.push({ start, end });
        [start, column, space] = [at, 0, 0];
      }
      if (taken > width) {
        // Too long for any line: the last part of it may be followed by more.
        const parts = filledRanges(text.slice(start, at + word.length), start, width);
        const last = parts.pop() ?? { start, end: at + word.length };
        ranges.push(...parts);
        start = last.start;
        column = textWidth(text.slice(last.start, last.end));
      } else column += space + taken;
      space = 0;
      at += word.length;
      end = at;
    }
  }
  ranges.push({ start, end });
  return ranges;
}

function filledRanges(line: string, at: number, width: number): Range[] {
  if (textWidth(line) <= width) return [{ start: at, end: at + line.length }];
  const ranges: Range[] = [];
  let start = at;
  let end = at;
  let column = 0;
  for (const character of charactersOf(line)) {
    const taken = textWidth(character);
    if (column + taken > width && end > start) {
      ranges.push({ start, end });
      start = end;
      column = 0;
    }
    column += taken;
    end += character.length;
  }
  ranges.push({ start, end });
  return ranges;
}

/** The spans of each range; the ranges are in order. */
function cut(spans: Line, ranges: readonly Range[]): Line[] {
  let index = 0;
  let offset = 0;
  return ranges.map(({ start, end }) => {
    const line: Span[] = [];
    for (; index < spans.length; index += 1) {
      const { text, formats } = spans[index] ?? span("");
      const until = offset + text.length;
      if (until > start) {
        const piece = text.slice(Math.max(0, start - offset), end - offset);
        if (piece !== "" && end > offset) line.push({ text: piece, formats });
      }
      // The next line may go on in this span.
      if (until > end) break;
      offset = until;
    }
    return line;
  });
}

/**
 * A foreign text that the user has to judge: nothing is taken away, and what could hide something is written out, such as
 * `<U+202E>`, in inverse colours.
 */
export function judgedSpans(text: string, ...formats: readonly Format[]): Span[] {
  // The text has no such character any more once it is visible.
  const parts = visibleText(text, (code) => `\0${code}\0`).split("\0");
  return parts
    .map((part, index) => (index % 2 === 0 ? span(part, ...formats) : span(part, ...formats, "inverse")))
    .filter((one) => one.text !== "");
}
