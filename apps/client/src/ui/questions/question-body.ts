import { type Line, span, wrapSpans } from "../../text/spans.ts";
import type { Scroll } from "./dialog.ts";
import { type QuestionLine, questionRows } from "./question-lines.ts";

/** The whole text of a question; PgUp and PgDn scroll what does not fit into `height` rows. */
export function questionBody(lines: readonly QuestionLine[], width: number, height: number, scroll: Scroll): Line[] {
  const rows = questionRows(lines, width);
  if (rows.length <= height) return rows;
  const hint = (above: number, below: number): Line[] =>
    wrapSpans([span(`↕ ${above} lines above, ${below} below: PgUp and PgDn show them`, "yellow")], width);
  const room = Math.max(1, height - hint(rows.length, rows.length).length);
  scroll.measure(rows.length, room);
  const { offset } = scroll;
  return [...rows.slice(offset, offset + room), ...hint(offset, rows.length - room - offset)];
}
