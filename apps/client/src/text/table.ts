import { printableLine } from "./printable.ts";

/** Rows as lines, with columns as wide as their longest value. */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map(printableLine));
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
