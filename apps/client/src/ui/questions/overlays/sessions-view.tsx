import { Box } from "ink";
import type { ReactNode } from "react";

import { ChoiceList } from "../choice-view.tsx";
import { ListView } from "../list-view.tsx";
import { QuestionBody } from "../question-body.tsx";
import { Scroll } from "../dialog.ts";
import { type SessionsDialog, titleOf } from "./sessions-dialog.ts";

const noScroll = new Scroll();

/** The list of sessions, or the question whether to delete one. */
export function SessionsView(props: {
  readonly dialog: SessionsDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { dialog, width, height } = props;
  const { deleting } = dialog;
  if (deleting === undefined) {
    return <ListView picker={dialog.picker} title={dialog.title} keys={dialog.keys} height={height} />;
  }
  const question = `Delete the session “${titleOf(deleting.entry)}”? It cannot be brought back.`;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionBody lines={[{ text: question, tone: "title" }]} width={width} height={height - 3} scroll={noScroll} />
      <ChoiceList
        choices={deleting.choices}
        entries={[{ label: "Delete it" }, { label: "Keep it" }]}
        escape="Esc: keep it"
      />
    </Box>
  );
}
