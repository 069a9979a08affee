import { kindOf, kindWidth, nameOf } from "../../protocol/permission/options.ts";
import { flatLines, permissionLines } from "../../protocol/permission/question-lines.ts";
import type { PermissionOption, PermissionQuestion } from "../../protocol/permission/question.ts";
import { filledRows, judgedRows } from "../../render/tones.ts";
import { indent, type Line, span } from "../../text/spans.ts";

/** The rows of a question and its options. `width`: of the terminal, if there is one. */
export function questionRows(question: PermissionQuestion, cwd: string, width: number | undefined): Line[] {
  const rows = (margin: number, make: (room: number | undefined) => Line[]): Line[] =>
    indent(make(width && width - margin), [span(" ".repeat(margin))]);
  return [
    ...flatLines(permissionLines(question, cwd)).flatMap((line) =>
      rows(line.tone === "title" ? 2 : 4, (room) => judgedRows(line, room)),
    ),
    ...question.options.flatMap((option, index) => rows(4, (room) => filledRows(optionLine(option, index), room))),
  ];
}

/** The kind of an option comes first, whatever the agent calls it. */
function optionLine(option: PermissionOption, index: number): Line {
  return [span(String(index + 1), "bold"), span(` ${kindOf(option).padEnd(kindWidth)}  `), span(nameOf(option))];
}
