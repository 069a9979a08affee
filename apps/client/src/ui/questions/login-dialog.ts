import type { Login } from "../../protocol/agent.ts";
import { type ChoiceDialog, choiceDialog } from "./choice-dialog.ts";

/** Asks which login to use. */
export function loginDialog(
  logins: readonly Login[],
  isTyping: boolean,
  answer: (loginId: string | undefined) => void,
): ChoiceDialog {
  const question = {
    lines: [{ text: "The agent wants you to log in:", tone: "title" }],
    entries: logins.map(({ id, name, description }) => ({ label: name, aside: description ?? undefined, value: id })),
    escape: "Esc: give up",
  } as const;
  return choiceDialog(question, isTyping, answer);
}
