import { Box, Text } from "ink";
import type { ReactNode } from "react";

import { ChoiceView } from "./choice-view.tsx";
import type { OpenDialog } from "./dialog-for.ts";
import { FormView } from "./forms/form-view.tsx";
import { ListView } from "./list-view.tsx";
import { SessionsView } from "./overlays/sessions-view.tsx";
import { QuestionBody } from "./question-body.tsx";

/** Draws the open dialog into this many rows. */
export function DialogView(props: {
  readonly dialog: OpenDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { dialog, ...room } = props;
  switch (dialog.kind) {
    case "choice":
      return <ChoiceView dialog={dialog} {...room} />;
    case "form":
      return <FormView dialog={dialog} {...room} />;
    case "sessions":
      return <SessionsView dialog={dialog} {...room} />;
    case "list":
      return <ListView picker={dialog.picker} title={dialog.title} keys={dialog.keys} height={room.height} />;
    default:
      return (
        <Box flexDirection="column" flexShrink={0}>
          <QuestionBody lines={dialog.lines} width={room.width} height={room.height - 1} scroll={dialog.scroll} />
          <Text dimColor>Esc: close</Text>
        </Box>
      );
  }
}
