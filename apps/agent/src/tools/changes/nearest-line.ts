import { truncateText } from "../../truncate-text.ts";

/** A line of a file, counted from 1. */
export interface NearestLine {
  readonly line: number;
  readonly text: string;
}

const longestLine = 200;

/**
 * The line of a text that is most like the first line of another, with at least half of it in common: it shows the model what
 * it has misremembered. `undefined` if no line is.
 */
export function nearestLine(text: string, other: string): NearestLine | undefined {
  const wanted = other
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
  if (wanted === undefined) return undefined;
  let nearest: NearestLine | undefined;
  let mostCommon = wanted.length / 2;
  for (const [index, line] of text.split("\n").entries()) {
    const common = commonLength(line.trim(), wanted);
    if (common < mostCommon || (common === mostCommon && nearest !== undefined)) continue;
    mostCommon = common;
    nearest = { line: index + 1, text: truncateText(line.replace(/\r$/u, ""), longestLine) };
  }
  return nearest;
}

/** How much two texts have in common at their beginnings and their ends. */
function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return start + end;
}
