import type { ChatActions, ChatQuestion, ChatState, Overlay } from "../chat-state.ts";
import type { ChoiceDialog } from "./choice-dialog.ts";
import type * as AskedDialogs from "./asked-dialogs.ts";
import type { FormDialog } from "./forms/form-dialog.ts";
import { HelpDialog } from "./overlays/help-dialog.ts";
import { OptionDialog, OptionsDialog } from "./overlays/option-dialog.ts";
import { SessionsDialog } from "./overlays/sessions-dialog.ts";

export type OpenDialog = ChoiceDialog | FormDialog | HelpDialog | OptionDialog | OptionsDialog | SessionsDialog;

let asked: typeof AskedDialogs | undefined;

/** Loads the dialogs of questions. Until then, questions wait. */
export async function loadAskedDialogs(): Promise<void> {
  asked ??= await import("./asked-dialogs.ts");
}

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

function questionDialog(
  entry: ChatQuestion,
  state: ChatState,
  actions: ChatActions,
  isTyping: boolean,
): OpenDialog | undefined {
  if (asked === undefined) return undefined;
  const { id } = entry;
  const cwd = state.session?.cwd ?? state.cwd;
  switch (entry.kind) {
    case "permission":
      return asked.permissionDialog(entry.question, cwd, isTyping, (optionId) =>
        actions.answerPermission(id, optionId),
      );
    case "form":
      return new asked.FormDialog(entry.agent, entry.question, isTyping, (answer) => actions.answerForm(id, answer));
    case "url":
      return asked.urlDialog(entry.agent, entry.question, isTyping, (action) => actions.answerUrl(id, action));
    default:
      return asked.loginDialog(entry.logins, isTyping, (loginId) => actions.answerLogin(id, loginId));
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
