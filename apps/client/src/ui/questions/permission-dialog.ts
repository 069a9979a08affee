import { kindOf, nameOf } from "../../protocol/permission/option-words.ts";
import type { PermissionQuestion } from "../../protocol/permission/question.ts";
import { type ChoiceDialog, choiceDialog } from "./choice-dialog.ts";
import { permissionLines } from "./permission-lines.ts";

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
    lines: permissionLines(question, cwd),
    entries: options.map((option) => ({ label: nameOf(option), aside: kindOf(option), value: option.optionId })),
    escape: canReject ? "Esc: reject" : "Esc: no answer",
  };
  return choiceDialog(asked, isTyping, answer);
}
