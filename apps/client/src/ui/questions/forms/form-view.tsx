import { Box, Text } from "ink";
import type { ReactNode } from "react";

import { EditorView } from "../../input/editor-view.tsx";
import { ChoiceDialog } from "../choice-dialog.ts";
import { ChoiceView } from "../choice-view.tsx";
import { ListView } from "../list-view.tsx";
import { QuestionBody } from "../question-body.tsx";
import type { FormDialog } from "./form-dialog.ts";

const otherKeys = "Shift-Tab: back · Esc: stop and review";

/** A step of a form. */
export function FormView(props: {
  readonly dialog: FormDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { dialog, width, height } = props;
  const { step } = dialog;
  if (step instanceof ChoiceDialog) return <ChoiceView dialog={step} width={width} height={height} />;
  const { input } = step;
  const room = Math.max(3, Math.floor(height / 2));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionBody lines={step.lines} width={width} height={room} scroll={step.scroll} />
      {input.kind === "text" ? (
        <>
          <EditorView editor={input.editor} columns={width} height={4} hasKeyboard placeholder="" />
          <Text dimColor wrap="truncate">{`Enter: next · ${otherKeys}`}</Text>
        </>
      ) : (
        <ListView
          picker={input.picker}
          title="Choose"
          keys={`${input.isMultiple ? "Space: choose · Enter: next" : "Enter: choose"} · ${otherKeys}`}
          height={height - room}
          {...(input.isMultiple ? { marks: ["[x]", "[ ]"] } : {})}
        />
      )}
    </Box>
  );
}
