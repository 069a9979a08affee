import { Box } from "ink";
import { type ReactNode, useMemo } from "react";

import type { ChoiceDialog, ChoiceQuestion } from "./choice-dialog.ts";
import { ChoiceList, entryText, isCut, keyRows } from "./choice-list.tsx";
import { QuestionBody } from "./question-body.tsx";
import type { QuestionLine } from "./question-lines.ts";

/** The fewest rows of a question. */
const leastRows = 3;

/** A question with its answers. `height`: the rows that it may take. */
export function ChoiceView(props: {
  readonly dialog: ChoiceDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { dialog, width, height } = props;
  const { question, choices, scroll } = dialog;
  const { entries, escape } = question;
  const lines = useMemo(() => [...question.lines, ...longAnswers(question, width)], [question, width]);
  const keys = keyRows(choices, entries.length, escape, width);
  const answers = Math.min(entries.length, Math.max(2, height - leastRows - keys));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionBody lines={lines} width={width} height={Math.max(leastRows, height - answers - keys)} scroll={scroll} />
      <ChoiceList choices={choices} entries={entries} escape={escape} height={answers} />
    </Box>
  );
}

/** The answers that are too long for one row, whole. */
function longAnswers({ entries }: ChoiceQuestion<unknown>, width: number): readonly QuestionLine[] {
  return entries.flatMap((entry, index) =>
    isCut(entry, width)
      ? [{ judged: { label: `answer ${index + 1}: `, text: entryText(entry), tone: "dim" }, indent: 2 }]
      : [],
  );
}
