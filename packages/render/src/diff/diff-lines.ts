import { structuredPatch, type StructuredPatchHunk } from "diff";

/** A line of a unified diff, or a remark about the change. */
export interface DiffLine {
  readonly kind: "hunk" | "added" | "removed" | "same" | "remark";
  readonly text: string;
}

/** How many unchanged lines to show around a change. */
const context = 3;

/**
 * The limits of the comparison, whose time grows with the square of the number of changes. Texts beyond them are shown as
 * one change. The timeout is in milliseconds.
 */
const effort = { maxEditLength: 2_000, timeout: 1_000 };

/**
 * The lines of a unified diff with three lines of context; a new file, whose old text is `undefined`, has only added
 * lines. There is always at least one line.
 */
export function diffLines(oldText: string | undefined, newText: string): DiffLine[] {
  if (oldText === newText) return [remark("no change")];
  if (oldText === undefined && newText === "") return [remark("empty file")];
  const old = oldText ?? "";
  const lines = comparedLines(old, newText);
  return withLineEnds(old) === withLineEnds(newText) ? [remark("only the line ends differ"), ...lines] : lines;
}

function comparedLines(oldText: string, newText: string): DiffLine[] {
  // Text that was only added or only removed needs no comparison.
  const patch =
    oldText === "" || newText === ""
      ? undefined
      : structuredPatch("", "", oldText, newText, "", "", { context, ...effort });
  if (patch === undefined) return replacement(linesOf(oldText), linesOf(newText));
  return hunkLines(patch.hunks);
}

export function hunkLines(hunks: readonly StructuredPatchHunk[]): DiffLine[] {
  return hunks.flatMap(({ lines, ...place }) => [hunk(place), ...lines.map(toDiffLine)]);
}

/** Shows everything between the common beginning and the common end as one change. */
function replacement(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const above = before.slice(Math.max(0, start - context), start);
  const below = before.slice(before.length - end, before.length - end + context);
  const around = above.length + below.length;
  const place = {
    oldStart: start - above.length + 1,
    oldLines: removed.length + around,
    newStart: start - above.length + 1,
    newLines: added.length + around,
  };
  const isBoth = removed.length > 0 && added.length > 0;
  return [
    ...(isBoth ? [remark(`${removed.length} lines removed, ${added.length} added: too many to tell which stay`)] : []),
    hunk(place),
    ...above.flatMap((line) => marked(" ", line)),
    ...removed.flatMap((line) => marked("-", line)),
    ...added.flatMap((line) => marked("+", line)),
    ...below.flatMap((line) => marked(" ", line)),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/u);
}

function marked(mark: string, line: string): DiffLine[] {
  const hasEnd = line.endsWith("\n");
  const diffLine = toDiffLine(mark + (hasEnd ? line.slice(0, -1) : line));
  return hasEnd ? [diffLine] : [diffLine, remark(noLineEnd)];
}

/** The remark about text that ends without a newline. */
export const noLineEnd: string = String.raw`\ No newline at end of file`;

function toDiffLine(text: string): DiffLine {
  if (text.startsWith("+")) return { kind: "added", text };
  if (text.startsWith("-")) return { kind: "removed", text };
  return { kind: text === noLineEnd ? "remark" : "same", text };
}

function hunk(place: {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
}): DiffLine {
  const { oldStart, oldLines, newStart, newLines } = place;
  return { kind: "hunk", text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@` };
}

/** A remark about a change. */
export function remark(text: string): DiffLine {
  return { kind: "remark", text };
}

function withLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/gu, "\n");
}
