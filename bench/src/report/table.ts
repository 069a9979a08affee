/** A Markdown table; the first column is text, the others are figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_title, column) => (column === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** `1.02 (0.98–1.10)`. */
export function quotient({ median, minimum, maximum }: { median: number; minimum: number; maximum: number }): string {
  return Number.isNaN(median) ? "" : `${median.toFixed(2)} (${minimum.toFixed(2)}–${maximum.toFixed(2)})`;
}

/** `276k/s`. */
export function perSecond(rate: number): string {
  return rate >= 10_000 ? `${Math.round(rate / 1_000)}k/s` : `${(rate / 1_000).toFixed(1)}k/s`;
}

/** `12.3 ms`. */
export function milliseconds(time: number): string {
  return `${time >= 100 ? Math.round(time) : time.toFixed(time >= 10 ? 1 : 2)} ms`;
}

/** `84 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
