import type { ChatActions, ChatQuestion, ChatState } from "../chat-state.ts";
import { PermissionDialog } from "./permission-dialog.ts";

/** All dialogs. */
export type OpenDialog = PermissionDialog;

/**
 * The dialog for the open question, or else for the overlay. `isTyping`: the user has typed a part of a prompt, so keys may
 * be meant for that.
 */
export function dialogFor(state: ChatState, actions: ChatActions, isTyping: boolean): OpenDialog | undefined {
  const [question] = state.questions;
  return question === undefined ? undefined : questionDialog(question, state, actions, isTyping);
}

function questionDialog(
  question: ChatQuestion,
  state: ChatState,
  actions: ChatActions,
  isTyping: boolean,
): OpenDialog | undefined {
  const { id, kind } = question;
  switch (kind) {
    case "permission":
      return new PermissionDialog(question.question, state.session?.cwd ?? state.cwd, isTyping, (optionId) =>
        actions.answerPermission(id, optionId),
      );
    default:
      return undefined;
  }
}
