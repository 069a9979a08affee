import type { ChatActions, ChatState } from "../chat-state.ts";
import type { Dialog } from "./dialog.ts";
import { HelpDialog } from "./overlays/help-dialog.ts";
import { optionDialog, optionsDialog } from "./overlays/option-dialogs.ts";
import { sessionsDialog } from "./overlays/sessions-dialog.ts";
import type * as QuestionDialogs from "./question-dialogs.ts";

let asked: typeof QuestionDialogs | undefined;

/** Loads the dialogs of questions: they need the toolkit, which is loaded after the first frame. Until then, questions wait. */
export async function loadAskedDialogs(): Promise<void> {
  asked ??= await import("./question-dialogs.ts");
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
export function dialogFor(state: ChatState, actions: ChatActions, isTyping: boolean): Dialog | undefined {
  const {
    questions: [question],
    overlay,
  } = state;
  if (question !== undefined) return asked?.questionDialog(question, state, actions, isTyping);
  switch (overlay?.kind) {
    case undefined:
      return undefined;
    case "option":
      return optionDialog(overlay.option, state, actions);
    case "options":
      return optionsDialog(state, actions);
    case "sessions":
      return sessionsDialog(state, actions);
    default:
      return new HelpDialog(state, actions);
  }
}
