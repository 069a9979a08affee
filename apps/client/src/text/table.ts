import { textWidth } from "@acp/render";
import { printableLine } from "@acp/render/text";

/** A line for each row. The cells of a column are as wide as the longest of them. */
export function columns(rows: readonly (readonly string[])[], gap = "  "): readonly string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell));
  const padded = (cell: string, at: number): string => cell + " ".repeat((widths[at] ?? 0) - textWidth(cell));
  return rows.map((row) => row.map(padded).join(gap).trimEnd());
}

/** Rows of foreign texts as lines with columns. */
export function table(rows: readonly (readonly string[])[]): string {
  return columns(rows.map((row) => row.map(printableLine)))
    .map((line) => `${line}\n`)
    .join("");
}
