import type { Tokens } from "marked";

import { type Line, lineWidth, type Span, span, wrapSpans } from "../text/spans.ts";
import { inlineSpans } from "./inline-spans.ts";

/** Between two columns: ` │ `. */
const gap = 3;
/** A column is not made narrower than this. */
const minColumn = 5;

/** Draws a table. If it does not fit, its cells are wrapped; if that is of no use, each row becomes a list of its cells. */
export function tableLines(table: Tokens.Table, width: number): Line[] {
  const header = table.header.map((cell) => inlineSpans(cell.tokens, ["bold"]));
  const rows = table.rows.map((row) => row.map((cell) => inlineSpans(cell.tokens)));
  const widths = columnWidths([header, ...rows], width);
  if (widths === undefined) return recordLines(header, rows, width);
  const rule = widths.map((columns) => "─".repeat(columns)).join("─┼─");
  return [
    ...rowLines(header, widths, table.align),
    [span(rule, "dim")],
    ...rows.flatMap((row) => rowLines(row, widths, table.align)),
  ];
}

/** How wide each column is, or `undefined` if there is no room for so many. */
function columnWidths(rows: readonly (readonly Line[])[], width: number): number[] | undefined {
  const natural = (rows[0] ?? []).map((_, column) =>
    Math.max(1, ...rows.map((row) => Math.max(...wrapSpans(row[column] ?? [], Infinity).map(lineWidth)))),
  );
  let room = width - gap * (natural.length - 1);
  if (natural.reduce((sum, one) => sum + one, 0) <= room) return natural;
  if (room < minColumn * natural.length) return undefined;
  // Narrow columns get what they need, wide ones share the rest.
  const widths = natural.map(() => 0);
  const order = natural
    .map((_, column) => column)
    .toSorted((one, other) => (natural[one] ?? 0) - (natural[other] ?? 0));
  for (const [index, column] of order.entries()) {
    const share = Math.floor(room / (order.length - index));
    widths[column] = Math.min(natural[column] ?? 0, share);
    room -= widths[column] ?? 0;
  }
  return widths;
}

function rowLines(cells: readonly Line[], widths: readonly number[], align: Tokens.Table["align"]): Line[] {
  const wrapped = widths.map((columns, column) => wrapSpans(cells[column] ?? [], columns));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    widths.flatMap((columns, column): Span[] => {
      const line = wrapped[column]?.[at] ?? [];
      const missing = Math.max(0, columns - lineWidth(line));
      const side = align[column];
      const before = side === "right" ? missing : side === "center" ? Math.floor(missing / 2) : 0;
      return [
        ...(column === 0 ? [] : [span(" │ ", "dim")]),
        span(" ".repeat(before)),
        ...line,
        span(" ".repeat(missing - before)),
      ];
    }),
  );
}

function recordLines(header: readonly Line[], rows: readonly (readonly Line[])[], width: number): Line[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => wrapSpans([...(header[column] ?? []), span(": ", "bold"), ...cell], width)),
  ]);
}
