import type { Line } from "../../../text/spans.ts";
import { choiceList } from "../choice-view.ts";
import { Scroll } from "../dialog.ts";
import { listView } from "../list-view.ts";
import { questionBody } from "../question-body.ts";
import { type SessionsDialog, titleOf } from "./sessions-dialog.ts";

const noScroll = new Scroll();

/** The list of sessions, or the question whether to delete one. */
export function sessionsView(dialog: SessionsDialog, width: number, height: number): Line[] {
  const { deleting, picker, title, keys } = dialog;
  if (deleting === undefined) return listView(picker, { title, keys, width, height });
  const question = `Delete the session “${titleOf(deleting.entry)}”? It cannot be brought back.`;
  const entries = [{ label: "Delete it" }, { label: "Keep it" }];
  return [
    ...questionBody([{ text: question, tone: "title" }], width, height - 3, noScroll),
    ...choiceList(deleting.choices, { entries, escape: "Esc: keep it", width }),
  ];
}
