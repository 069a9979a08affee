import { kindOf, nameOf } from "../../protocol/permission/option-words.ts";
import { permissionLines } from "../../protocol/permission/question-lines.ts";
import type { PermissionQuestion } from "../../protocol/permission/question.ts";
import { type ChoiceDialog, choiceDialog } from "./choice-dialog.ts";

/** Asks for permission. Without an answer the client takes the option that rejects once, if there is one. */
export function permissionDialog(
  question: PermissionQuestion,
  cwd: string,
  isTyping: boolean,
  answer: (optionId: string | undefined) => void,
): ChoiceDialog {
  const { options } = question;
  const canReject = options.some(({ kind }) => kind === "reject_once");
  const asked = {
    lines: permissionLines(question, cwd).map((line) =>
      "diff" in line ? { diff: line.diff, indent: 2 } : { judged: line, indent: line.tone === "title" ? 0 : 2 },
    ),
    // What an option does is never cut. What the agent calls it may be, and is whole above then.
    entries: options.map((option) => ({ label: kindOf(option), aside: nameOf(option), value: option.optionId })),
    escape: canReject ? "Esc: reject" : "Esc: no answer",
  };
  return choiceDialog(asked, isTyping, answer);
}
