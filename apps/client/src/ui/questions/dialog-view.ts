import { type Frame, stack } from "../terminal/frame.ts";
import { type Line, span } from "../../text/spans.ts";
import { choiceList, choiceView } from "./choice-view.ts";
import { Scroll } from "./dialog.ts";
import type { OpenDialog } from "./dialog-for.ts";
import { formView } from "./forms/form-view.ts";
import { listView } from "./list-view.ts";
import { type SessionsDialog, titleOf } from "./overlays/sessions-dialog.ts";
import { questionBody } from "./question-lines.ts";

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

const noScroll = new Scroll();

/** The list of sessions, or the question whether to delete one. */
function sessionsView(dialog: SessionsDialog, width: number, height: number): Line[] {
  const { deleting, picker, title, keys } = dialog;
  if (deleting === undefined) return listView(picker, { title, keys, width, height });
  const question = `Delete the session “${titleOf(deleting.entry)}”? It cannot be brought back.`;
  const entries = [{ label: "Delete it" }, { label: "Keep it" }];
  return [
    ...questionBody([{ text: question, tone: "title" }], width, height - 3, noScroll),
    ...choiceList(deleting.choices, { entries, escape: "Esc: keep it", width }),
  ];
}
