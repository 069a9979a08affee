import { readMember, requireArgument, requireObject } from "@acp/core/internal";

import type { ComparedRow, RecordingComparison } from "./compare-recordings.ts";

/** How many rows are shown around a difference. */
const context = 2;
/** How many rows of a difference are shown. */
const most = 20;

/**
 * What differs, in lines for people: with `-` of the left recording, with `+` of the right one, and those around them. No lines
 * if nothing differs. The lines have foreign text: make it visible.
 */
export function comparisonLines(
  comparison: RecordingComparison,
  options: { readonly onlyKinds?: boolean | undefined } = {},
): string[] {
  requireArgument(Array.isArray(readMember(comparison, "rows")), "comparisonLines() takes a comparison", comparison);
  requireObject(options, "comparisonLines() takes options");
  const { rows, differences } = comparison;
  const { onlyKinds = false } = options;
  if (differences === 0) return [];
  const lines: string[] = [];
  for (let at = 0; at < rows.length;) {
    const isSame = rows[at]?.status === "same";
    let end = at;
    while (end < rows.length && (rows[end]?.status === "same") === isSame) end++;
    const run = rows.slice(at, end);
    lines.push(...(isSame ? around(run, at > 0, end < rows.length, onlyKinds) : changed(run, onlyKinds)));
    at = end;
  }
  return lines;
}

function changed(rows: readonly ComparedRow[], onlyKinds: boolean): string[] {
  const left = rows.length - most;
  const shown = left > 1 ? rows.slice(0, most) : rows;
  return [
    ...shown.flatMap((row) => [
      ...(row.left === undefined ? [] : [`- ${lineOf(row, row.left.text, onlyKinds)}`]),
      ...(row.right === undefined ? [] : [`+ ${lineOf(row, row.right.text, onlyKinds)}`]),
    ]),
    ...(left > 1 ? [`  … ${left} more that differ`] : []),
  ];
}

/** The first and last lines of what is the same. */
function around(rows: readonly ComparedRow[], isAfter: boolean, isBefore: boolean, onlyKinds: boolean): string[] {
  const first = isAfter ? rows.slice(0, context) : [];
  const rest = rows.slice(first.length);
  const last = isBefore ? rest.slice(-context) : [];
  const left = rest.length - last.length;
  const line = (row: ComparedRow): string => `  ${lineOf(row, row.left?.text ?? "", onlyKinds)}`;
  return [...first.map(line), ...(left > 0 ? [`  … ${left} the same`] : []), ...last.map(line)];
}

function lineOf({ kind }: ComparedRow, text: string, onlyKinds: boolean): string {
  return onlyKinds ? kind : `${kind} ${text}`;
}
