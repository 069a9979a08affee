import { type Line, lineWidth, type Span, textOf } from "@acp/render";

/** A part of a row: from one place in its text to another. */
interface Part {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** What stands before a row that goes on: space, and the bars of outputs and of what is judged. */
const margin = "[ │┆]*";
/** Ends a row that is full, where a word may be broken. */
const full = "\v";

/**
 * Finds a text in rows, also where it goes on in the next row. Small letters stand for large ones, too. `width`: from this many
 * columns on, a row is full. Each match is in one part or more.
 */
export function findInRows(rows: readonly Line[], query: string, width: number): Part[][] {
  if (query.trim() === "") return [];
  const pattern = Array.from(query.trim(), (character) =>
    /\s/u.test(character)
      ? `(?: *[\n${full}]${margin}| +)`
      : character.replace(/[$()*+./?[\\\]^{|}]/u, String.raw`\$&`),
  ).join(`(?:${full}${margin})?`);
  const texts = rows.map(textOf);
  const text = rows.map((row, at) => texts[at] + (lineWidth(row) >= width ? full : "\n")).join("");
  let row = 0;
  let start = 0;
  return [...text.matchAll(new RegExp(pattern, query === query.toLowerCase() ? "giu" : "gu"))].map((match) => {
    const parts: Part[] = [];
    const end = match.index + match[0].length;
    for (;;) {
      const { length } = texts[row] ?? "";
      if (match.index <= start + length)
        parts.push({ row, from: Math.max(0, match.index - start), to: Math.min(length, end - start) });
      if (end <= start + length || row >= rows.length) return parts;
      start += length + 1;
      row += 1;
    }
  });
}

/** A row with its parts inverted. */
export function markParts(line: Line, parts: readonly Part[]): Line {
  let at = 0;
  return line.flatMap(({ text, formats }): Span[] => {
    const start = at;
    at += text.length;
    const inside = parts.flatMap(({ from, to }) => [from, to]).map((place) => place - start);
    const cuts = [0, ...inside.filter((place) => place > 0 && place < text.length), text.length];
    return cuts.slice(1).flatMap((to, index): Span[] => {
      const from = cuts[index] ?? 0;
      const isFound = parts.some((part) => part.from <= start + from && start + to <= part.to);
      return from === to ? [] : [{ text: text.slice(from, to), formats: isFound ? [...formats, "inverse"] : formats }];
    });
  });
}
