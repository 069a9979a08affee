import { kindOf, kindWidth, nameOf } from "../../protocol/permission/options.ts";
import { type FlatLine, flatLines, permissionLines } from "../../protocol/permission/question-lines.ts";
import type { PermissionOption, PermissionQuestion } from "../../protocol/permission/question.ts";
import { judgedSpans, fillSpans, indent, type Line, paint, span, withoutTabs } from "../../text/spans.ts";
import type { Format, Style } from "../../text/style.ts";

const formats: Readonly<Record<FlatLine["tone"], readonly Format[]>> = {
  title: ["yellow", "bold"],
  warning: ["yellow"],
  plain: [],
  dim: ["dim"],
  hunk: ["cyan"],
  added: ["green"],
  removed: ["red"],
  same: ["dim"],
  remark: ["dim"],
};

/** What stands before the rest of a line that is too long for the terminal: nothing there passes for a line of ours. */
const goesOn = "┆ ";

/** The lines of a question and its options. `width`: of the terminal, if there is one. */
export function questionView(
  question: PermissionQuestion,
  cwd: string,
  style: Style,
  width: number | undefined,
): readonly string[] {
  const asked = flatLines(permissionLines(question, cwd)).flatMap(({ label, text, tone }) => {
    const margin = tone === "title" ? 2 : 4;
    return rowsOf([span(label, ...formats[tone]), ...judged(text, width, ...formats[tone])], margin, width);
  });
  const options = question.options.flatMap((option, index) => rowsOf(optionLine(option, index), 4, width));
  return [...asked, ...options].map((row) => paint(row, style));
}

/** The kind of an option comes first, whatever the agent calls it. */
function optionLine(option: PermissionOption, index: number): Line {
  return [span(String(index + 1), "bold"), span(` ${kindOf(option).padEnd(kindWidth)}  `), span(nameOf(option))];
}

function judged(text: string, width: number | undefined, ...format: readonly Format[]): Line {
  return judgedSpans(width === undefined ? text : withoutTabs(text), ...format);
}

function rowsOf(line: Line, margin: number, width: number | undefined): Line[] {
  const first = span(" ".repeat(margin));
  if (width === undefined) return [[first, ...line]];
  const rows = fillSpans(line, Math.max(10, width - margin - goesOn.length));
  return indent(rows, [first], [first, span(goesOn, "dim")]);
}
