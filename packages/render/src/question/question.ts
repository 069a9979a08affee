import { kindOf, kindWidth, nameOf } from "./option-words.ts";
import type { FlatLine, PermissionLine } from "./question-lines.ts";
import type { PermissionOption } from "./permission-question.ts";
import { printableLine } from "../text/printable.ts";
import { indent, type Line, span } from "../text/spans.ts";
import { diffRows } from "../diff/diff.ts";
import { filledRows, judgedRows } from "../text/tones.ts";

/** The rows of a question. `width`: of the terminal, if there is one. */
export function questionRows(lines: readonly (FlatLine | PermissionLine)[], width: number | undefined): Line[] {
  return lines.flatMap((line) =>
    "diff" in line
      ? rowsBehind(4, width, (room = Infinity) => diffRows(line.diff, room, true))
      : rowsBehind(line.tone === "title" ? 2 : 4, width, (room) => judgedRows(line, room)),
  );
}

/** The rows of its options. The kind of an option comes first, whatever the agent calls it. */
export function optionRows(options: readonly PermissionOption[], width: number | undefined): Line[] {
  return options.flatMap((option, index) => {
    const line = [
      span(String(index + 1), "bold"),
      span(` ${kindOf(option).padEnd(kindWidth)}  `),
      span(nameOf(option)),
    ];
    return rowsBehind(4, width, (room) => filledRows(line, room));
  });
}

/** The answer, and what decided it. */
export function answerLine(answer: string, by: string): Line {
  return [span("    "), span(`→ ${printableLine(answer)}`, "yellow"), span(by === "" ? "" : `  (${by})`, "dim")];
}

function rowsBehind(margin: number, width: number | undefined, make: (room: number | undefined) => Line[]): Line[] {
  return indent(make(width && width - margin), [span(" ".repeat(margin))]);
}
