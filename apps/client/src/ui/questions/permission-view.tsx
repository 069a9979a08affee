import { Box } from "ink";
import type { ReactNode } from "react";

import { kindOf, nameOf } from "../../protocol/permission/option-words.ts";
import { ChoiceList } from "./choice-list.tsx";
import type { PermissionDialog } from "./permission-dialog.ts";
import { QuestionBody } from "./question-body.tsx";

/** A question for permission. `height`: the rows that it may take. */
export function PermissionView(props: {
  readonly dialog: PermissionDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { dialog, width, height } = props;
  const room = Math.max(3, height - dialog.options.length - 1);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionBody lines={dialog.lines} width={width} height={room} scroll={dialog.scroll} />
      <ChoiceList
        choices={dialog.choices}
        entries={dialog.options.map((option) => ({ label: nameOf(option), aside: kindOf(option) }))}
        escape={dialog.escape}
      />
    </Box>
  );
}
