import type { ShownDiff } from "../../protocol/shown.ts";
import { judgedSpans } from "../../text/judged-text.ts";
import { indent, type Line, span, withoutTabs, wrapSpans } from "../../text/spans.ts";
import type { Format } from "../../text/style.ts";
import { diffView } from "../view/items/diff-view.ts";

/** A line of a question: what the user has to judge, as the agent sent it. */
export type QuestionLine = TextLine | DiffLines;

interface TextLine {
  readonly text: string | readonly TextPart[];
  readonly tone: "title" | "plain" | "dim" | "warning" | "error";
  /** In columns. */
  readonly indent?: number;
}

interface TextPart {
  readonly text: string;
  readonly isStrong?: boolean;
}

/** A change, with line numbers. */
interface DiffLines {
  readonly diff: ShownDiff;
  readonly indent?: number;
}

const tones: Readonly<Record<TextLine["tone"], readonly Format[]>> = {
  title: ["yellow", "bold"],
  plain: [],
  dim: ["dim"],
  warning: ["yellow"],
  error: ["red"],
};

/** The rows that the lines take on a screen of this width. Nothing is left out. */
export function questionRows(lines: readonly QuestionLine[], width: number): Line[] {
  return lines.flatMap((line) => {
    const { indent: margin = 0 } = line;
    const room = Math.max(10, width - margin);
    const rows = "diff" in line ? diffView(line.diff, room, true) : wrapSpans(spansOf(line), room);
    return margin === 0 ? rows : indent(rows, [span(" ".repeat(margin))]);
  });
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
