import { type Line, span } from "./spans.ts";

/** How many lines of a long text are shown: at its beginning, and at its end. */
export interface ClipLimits {
  readonly head: number;
  readonly tail: number;
}

/** The beginning and the end of lines; a remark says how many are left out, `omitted` of them before they came here. */
export function clippedLines(lines: readonly Line[], { head, tail }: ClipLimits, omitted = 0): Line[] {
  if (omitted > 0) {
    const shown = lines.slice(-Math.max(1, tail));
    return [remark(omitted + lines.length - shown.length, "lines before"), ...shown];
  }
  if (lines.length <= head + tail + 1) return [...lines];
  return [
    ...lines.slice(0, head),
    remark(lines.length - head - tail, head === 0 ? "lines before" : "more lines"),
    ...(tail === 0 ? [] : lines.slice(-tail)),
  ];
}

function remark(count: number, what: string): Line {
  return [span(`… ${count.toLocaleString("en")} ${what}`, "dim")];
}
