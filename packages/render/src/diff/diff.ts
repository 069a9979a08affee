import { visibleText } from "@acp/core/state";

import type { ShownDiff } from "../shown.ts";
import { remember } from "../text/remember.ts";
import { clipDiff, withoutLongBeginnings } from "./clip-diff.ts";
import { type DiffLine, noLineEnd } from "./diff-lines.ts";
import { extensionOf } from "../text/paths.ts";
import { cutLine } from "../text/printable.ts";
import {
  fillSpans,
  indent,
  joinSpans,
  judgedSpans,
  type Line,
  span,
  textOf,
  withFormats,
  withoutTabs,
} from "../text/spans.ts";
import { changedWords, type Range } from "./changed-words.ts";
import { highlight, knowsLanguage } from "../markdown/highlight.ts";
import { tones } from "../text/tones.ts";

/** Larger changes have the colours of their lines alone, in UTF-16 code units. */
const maxStyled = 200_000;

/** A change, and how many lines of its file there are above it. The comparison takes time, and a diff is drawn again and again. */
const compare = remember((diff: ShownDiff) => {
  const { above = 0, endsFile = true } = diff.place?.() ?? {};
  const lines = diff
    .lines()
    .filter(({ text }) => endsFile || text !== noLineEnd)
    .map((line) => (line.text.includes("\t") ? { ...line, text: withoutTabs(line.text) } : line));
  return { lines, numbers: lineNumbers(lines, above), styled: styledLines(lines, diff.path) };
});

/**
 * Draws a change with line numbers, the colours of its language, and a mark on the words that differ. `isWhole`: the user is
 * asked about it, so nothing is left out.
 */
export function diffRows(diff: ShownDiff, width: number, isWhole: boolean): Line[] {
  const { lines, numbers, styled } = compare(diff);
  const clipped = isWhole ? lines : clipDiff(lines);
  const shown = isWhole ? lines : withoutLongBeginnings(clipped);
  const columns = String(Math.max(0, ...numbers.values())).length;
  let isFirst = true;
  return shown.flatMap((line, index): Line[] => {
    if (line.kind === "hunk") {
      const gap = isFirst ? [] : [[span(`${" ".repeat(columns)} ⋯`, "dim")]];
      isFirst = false;
      return gap;
    }
    const number = numbers.get(clipped[index] ?? line);
    const gutter = [span(`${String(number ?? "").padStart(columns)} `, "dim")];
    const spans = styled.get(line) ?? judgedSpans(isWhole ? line.text : cutLine(line.text), ...tones[line.kind]);
    // The rest of a long line stands below its text, not below its sign.
    return indent(fillSpans(spans, width - columns - 1), gutter, [span(" ".repeat(columns + 1))]);
  });
}

/** The lines with colours in them. Those with something to write out have none: nothing may distract from it. */
function styledLines(lines: readonly DiffLine[], path: string): ReadonlyMap<DiffLine, Line> {
  const styled = new Map<DiffLine, Line>();
  if (lines.reduce((size, { text }) => size + text.length, 0) > maxStyled) return styled;
  const code = coloured(lines, extensionOf(path));
  const words = changedWords(lines);
  for (const line of lines) {
    const [syntax, changed = []] = [code.get(line), words.get(line)];
    if ((syntax === undefined && changed.length === 0) || visibleText(line.text) !== line.text) continue;
    const tone = tones[line.kind];
    // In a change, green and red say what is added and removed, and nothing else. A colour is not dimmed: nobody could read it.
    const own = (syntax ?? [span(line.text.slice(1))]).map(({ text, formats }) =>
      span(text, ...(formats.some((one) => line.kind === "same" || isOther(one)) ? formats : tone)),
    );
    const marked: Line = [span(line.text.slice(0, 1), ...tone), ...own];
    const mark = (spans: Line, { start, end }: Range): Line =>
      withFormats(spans, start, end, ...tone, "bold", "underline");
    styled.set(line, joinSpans(changed.reduce(mark, marked)));
  }
  return styled;
}

function isOther(format: string): boolean {
  return format !== "green" && format !== "red";
}

/** The code of both sides, part by part, since a comment can have several lines. */
function coloured(lines: readonly DiffLine[], language: string): ReadonlyMap<DiffLine, Line> {
  const spans = new Map<DiffLine, Line>();
  if (!knowsLanguage(language)) return spans;
  let part: DiffLine[] = [];
  const end = (): void => {
    for (const side of ["removed", "added"]) {
      const shown = part.filter(({ kind }) => kind === side || kind === "same");
      const code = fillSpans(highlight(shown.map(({ text }) => text.slice(1)).join("\n"), language), Infinity);
      for (const [index, line] of shown.entries()) {
        const drawn = code[index] ?? [];
        if (textOf(drawn) === line.text.slice(1)) spans.set(line, drawn);
      }
    }
    part = [];
  };
  for (const line of lines) {
    if (line.kind === "hunk") end();
    part.push(line);
  }
  end();
  return spans;
}

/** The number of each line in its file: the old one if it was removed. */
function lineNumbers(lines: readonly DiffLine[], above: number): Map<DiffLine, number> {
  const numbers = new Map<DiffLine, number>();
  let [before, after] = [above + 1, above + 1];
  for (const line of lines) {
    const [, old, now] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/u.exec(line.text) ?? [];
    if (line.kind === "hunk") [before, after] = [above + Number(old ?? 1), above + Number(now ?? 1)];
    else if (line.kind === "removed") numbers.set(line, before++);
    else if (line.kind === "added") numbers.set(line, after++);
    else if (line.kind === "same") {
      numbers.set(line, after++);
      before += 1;
    }
  }
  return numbers;
}
