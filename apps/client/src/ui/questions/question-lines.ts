import {
  diffRows,
  indent,
  judgedRows,
  judgedSpans,
  type Line,
  lineWidth,
  type ShownDiff,
  span,
  tones,
  withoutTabs,
  wrapSpans,
} from "@acp/render";

import type { Scroll } from "./scroll.ts";

/** A line of a question: what the user has to judge, as the agent sent it. */
export type QuestionLine = TextLine | JudgedLine | DiffLines;

/** A line of the agent behind words of ours: broken where it is full, since space can have a meaning. */
interface JudgedLine {
  readonly judged: { readonly label: string; readonly text: string; readonly tone: TextLine["tone"] };
  readonly indent?: number;
}

interface TextLine {
  readonly text: string | readonly TextPart[];
  readonly tone: "title" | "plain" | "dim" | "warning" | "error";
  /** In columns. */
  readonly indent?: number;
  /** Stands before the text, which has its own column. */
  readonly label?: { readonly text: string; readonly width: number };
}

interface TextPart {
  readonly text: string;
  readonly isStrong?: boolean;
}

interface DiffLines {
  readonly diff: ShownDiff;
  readonly indent?: number;
}

/** The rows that the lines take on a screen of this width. Nothing is left out. */
export function questionRows(lines: readonly QuestionLine[], width: number): Line[] {
  return lines.flatMap((line) => {
    const { indent: margin = 0 } = line;
    const room = Math.max(10, width - margin);
    const rows =
      "diff" in line
        ? diffRows(line.diff, room, true)
        : "judged" in line
          ? judgedRows(line.judged, room)
          : textRows(line, room);
    return margin === 0 ? rows : indent(rows, [span(" ".repeat(margin))]);
  });
}

/** The whole text of a question; PgUp and PgDn scroll what does not fit into `height` rows. */
export function questionBody(lines: readonly QuestionLine[], width: number, height: number, scroll: Scroll): Line[] {
  const rows = questionRows(lines, width);
  if (rows.length <= height) return rows;
  const hint = (above: number, below: number): Line[] =>
    wrapSpans([span(`↕ ${above} lines above, ${below} below: PgUp, PgDn`, "yellow")], width);
  const room = Math.max(1, height - hint(rows.length, rows.length).length);
  scroll.measure(rows.length, room);
  const { offset } = scroll;
  return [...rows.slice(offset, offset + room), ...hint(offset, rows.length - room - offset)];
}

function textRows(line: TextLine, width: number): Line[] {
  const { label } = line;
  if (label === undefined) return wrapSpans(spansOf(line), width);
  const rows = wrapSpans(spansOf(line), Math.max(10, width - label.width));
  const first = judgedSpans(label.text, "cyan");
  const gap = label.width - lineWidth(first);
  const margin = [span(" ".repeat(label.width))];
  // A longer label has lines of its own.
  if (gap < 1) return [...wrapSpans(first, width), ...indent(rows, margin)];
  return indent(rows, [...first, span(" ".repeat(gap))], margin);
}

function spansOf({ text, tone }: TextLine): Line {
  const parts: readonly TextPart[] = typeof text === "string" ? [{ text }] : text;
  return parts.flatMap((part) =>
    judgedSpans(
      withoutTabs(part.text),
      ...tones[tone],
      ...(part.isStrong === true ? (["bold", "underline"] as const) : []),
    ),
  );
}
