import { span, truncate } from "../../../text/spans.ts";
import { editorView } from "../../input/editor-view.ts";
import { type Frame, stack } from "../../terminal/frame.ts";
import { ChoiceDialog } from "../choice-dialog.ts";
import { choiceView } from "../choice-view.ts";
import { listView } from "../list-view.ts";
import { questionBody } from "../question-lines.ts";
import type { FormDialog } from "./form-dialog.ts";

const otherKeys = "Shift-Tab: back · Esc: stop and review";

export function formView({ step }: FormDialog, width: number, height: number): Frame {
  if (step instanceof ChoiceDialog) return { lines: choiceView(step, width, height) };
  const { input } = step;
  const room = Math.max(3, Math.floor(height / 2));
  const body = questionBody(step.lines, width, room, step.scroll);
  if (input.kind === "text") {
    const keys = truncate([span(`Enter: next · ${otherKeys}`, "dim")], width);
    return stack(body, editorView(input.editor, { columns: width, height: 4 }), [keys]);
  }
  const list = listView(input.picker, {
    title: "Choose",
    keys: `${input.isMultiple ? "Space: choose · Enter: next" : "Enter: choose"} · ${otherKeys}`,
    width,
    height: height - room,
    ...(input.isMultiple ? { marks: ["[x]", "[ ]"] } : {}),
  });
  return stack(body, list);
}
