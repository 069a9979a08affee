import { Box } from "ink";
import type { ReactNode } from "react";

import type { ChoiceDialog } from "./choice-dialog.ts";
import { ChoiceList } from "./choice-list.tsx";
import { QuestionBody } from "./question-body.tsx";

/** A question with its answers. `height`: the rows that it may take. */
export function ChoiceView(props: {
  readonly dialog: ChoiceDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { dialog, width, height } = props;
  const { question, choices, scroll } = dialog;
  const { lines, entries, escape } = question;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionBody lines={lines} width={width} height={Math.max(3, height - entries.length - 1)} scroll={scroll} />
      <ChoiceList choices={choices} entries={entries} escape={escape} />
    </Box>
  );
}
