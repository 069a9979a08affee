import type { FlatLine } from "../question/question-lines.ts";
import { fillSpans, indent, judgedSpans, type Line, span, withoutTabs } from "./spans.ts";
import type { Format } from "./format.ts";

/** What a line is: ours, what the user judges, or a line of a change. */
export type Tone = FlatLine["tone"] | "error";

/** How each kind of line looks. */
export const tones: Readonly<Record<Tone, readonly Format[]>> = {
  title: ["yellow", "bold"],
  warning: ["yellow"],
  error: ["red"],
  plain: [],
  dim: ["dim"],
  hunk: ["cyan"],
  added: ["green"],
  removed: ["red"],
  same: ["dim"],
  remark: ["dim"],
};

/** What stands before the rest of a line that is too long: nothing there passes for a line of ours. */
const goesOn = "┆ ";

/** The rows of a line of the agent behind words of ours; without a width, one. */
export function judgedRows(
  { label, text, tone }: { readonly label: string; readonly text: string; readonly tone: Tone },
  width: number | undefined,
): Line[] {
  const shown = width === undefined ? text : withoutTabs(text);
  return filledRows([span(label, ...tones[tone]), ...judgedSpans(shown, ...tones[tone])], width);
}

/** The rows of a line, broken where they are full, since space can have a meaning; without a width, one. */
export function filledRows(line: Line, width: number | undefined): Line[] {
  if (width === undefined) return [line];
  return indent(fillSpans(line, Math.max(10, width - goesOn.length)), [], [span(goesOn, "dim")]);
}
