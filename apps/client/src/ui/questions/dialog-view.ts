import { type Frame, stack } from "../terminal/frame.ts";
import { span } from "../../text/spans.ts";
import { choiceView } from "./choice-view.ts";
import type { OpenDialog } from "./dialog-for.ts";
import { formView } from "./forms/form-view.ts";
import { listView } from "./list-view.ts";
import { sessionsView } from "./overlays/sessions-view.ts";
import { questionBody } from "./question-body.ts";

/** Draws the open dialog into this many rows. */
export function dialogView(dialog: OpenDialog, width: number, height: number): Frame {
  switch (dialog.kind) {
    case "choice":
      return { lines: choiceView(dialog, width, height) };
    case "form":
      return formView(dialog, width, height);
    case "sessions":
      return { lines: sessionsView(dialog, width, height) };
    case "list":
      return { lines: listView(dialog.picker, { title: dialog.title, keys: dialog.keys, width, height }) };
    default:
      return stack(questionBody(dialog.lines, width, height - 1, dialog.scroll), [
        [span("Esc: close · What you type goes to your prompt", "dim")],
      ]);
  }
}
