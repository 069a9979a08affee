import type { ChatActions, ChatQuestion, ChatState, Overlay } from "../chat-state.ts";
import type { ChoiceDialog } from "./choice-dialog.ts";
import { FormDialog } from "./forms/form-dialog.ts";
import { loginDialog, permissionDialog, urlDialog } from "./question-dialogs.ts";
import { HelpDialog } from "./overlays/help-dialog.ts";
import { OptionDialog, OptionsDialog } from "./overlays/option-dialog.ts";
import { SessionsDialog } from "./overlays/sessions-dialog.ts";

export type OpenDialog = ChoiceDialog | FormDialog | HelpDialog | OptionDialog | OptionsDialog | SessionsDialog;

/** Says which dialog is open: as long as this is the same, the dialog is. `undefined` if none is. */
export function dialogKey({ questions: [question], overlay }: ChatState): string | undefined {
  if (question !== undefined) return `question ${question.id}`;
  if (overlay === undefined) return undefined;
  return overlay.kind === "option" ? `option ${overlay.option.id ?? ""}` : overlay.kind;
}

/**
 * The dialog for the open question, or else for the overlay. `isTyping`: the user has typed a part of a prompt, so keys may
 * be meant for that.
 */
export function dialogFor(state: ChatState, actions: ChatActions, isTyping: boolean): OpenDialog | undefined {
  const [question] = state.questions;
  if (question !== undefined) return questionDialog(question, state, actions, isTyping);
  return state.overlay === undefined ? undefined : overlayDialog(state.overlay, state, actions);
}

function questionDialog(entry: ChatQuestion, state: ChatState, actions: ChatActions, isTyping: boolean): OpenDialog {
  const { id } = entry;
  const cwd = state.session?.cwd ?? state.cwd;
  switch (entry.kind) {
    case "permission":
      return permissionDialog(entry.question, cwd, isTyping, (optionId) => actions.answerPermission(id, optionId));
    case "form":
      return new FormDialog(entry.agent, entry.question, isTyping, (answer) => actions.answerForm(id, answer));
    case "url":
      return urlDialog(entry.agent, entry.question, isTyping, (action) => actions.answerUrl(id, action));
    default:
      return loginDialog(entry.logins, isTyping, (loginId) => actions.answerLogin(id, loginId));
  }
}

function overlayDialog(overlay: Overlay, state: ChatState, actions: ChatActions): OpenDialog {
  switch (overlay.kind) {
    case "option":
      return new OptionDialog(overlay.option, actions);
    case "options":
      return new OptionsDialog(state, actions);
    case "sessions":
      return new SessionsDialog(state, actions);
    default:
      return new HelpDialog(state, actions);
  }
}
