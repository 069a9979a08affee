import { judgedSpans, fillSpans, indent, type Line, span, withoutTabs } from "../../../text/spans.ts";
import { clipDiff, withoutLongBeginnings } from "../../../text/clip-diff.ts";
import { type DiffLine, noLineEnd } from "../../../text/diff-lines.ts";
import { cutLine } from "../../../text/printable.ts";
import { tones } from "../../../render/tones.ts";
import type { ShownDiff } from "../../../protocol/shown.ts";
import { remember } from "../../../protocol/shown-items.ts";
import { findPlace } from "./diff-place.ts";

/** A change, and how many lines of its file there are above it. The comparison takes time, and a diff is drawn again and again. */
const compare = remember((diff: ShownDiff): { readonly lines: readonly DiffLine[]; readonly above: number } => {
  const { above = 0, endsFile = true } = findPlace(diff) ?? {};
  return { above, lines: diff.lines().filter(({ text }) => endsFile || text !== noLineEnd) };
});

/**
 * Draws a change with line numbers. `isWhole`: the user is asked about it, so nothing is left out.
 */
export function diffView(diff: ShownDiff, width: number, isWhole: boolean): Line[] {
  const { lines, above } = compare(diff);
  const numbers = lineNumbers(lines, above);
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
    const text = withoutTabs(isWhole ? line.text : cutLine(line.text));
    const spans = judgedSpans(text, ...tones[line.kind]);
    // The rest of a long line stands below its text, not below its sign.
    return indent(fillSpans(spans, width - columns - 1), gutter, [span(" ".repeat(columns + 1))]);
  });
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
