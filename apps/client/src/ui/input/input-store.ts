import type { ChatActions, ChatState } from "../chat-state.ts";
import type { Dialog } from "../questions/dialog.ts";
import { dialogFor, dialogKey, type OpenDialog } from "../questions/dialog-for.ts";
import type { ProjectFiles } from "./completion/project-files.ts";
import type { PromptHistory } from "./history/open-history.ts";
import { chordOf, type Key } from "./keys.ts";
import { PromptInput } from "./prompt-input.ts";

/** What the input needs from the program around it. */
export interface InputContext {
  readonly actions: ChatActions;
  readonly history: PromptHistory;
  readonly files?: ProjectFiles | undefined;
  /** Lets the user edit a text in another program; `undefined` if that failed. */
  readonly editText?: ((text: string) => Promise<string | undefined>) | undefined;
}

/** What the user types, and who gets the keys: the open question, else the overlay, else the prompt. */
export class InputStore {
  readonly prompt: PromptInput;
  #state: ChatState;
  #isShown = false;
  #dialog: { readonly key: string; readonly open: OpenDialog } | undefined;
  #isLent = false;
  readonly #actions: ChatActions;
  readonly #listeners = new Set<() => void>();

  constructor(state: ChatState, { actions, history, files, editText }: InputContext) {
    this.#state = state;
    this.#actions = actions;
    const shownState = (): ChatState => this.#state;
    this.prompt = new PromptInput({
      get state() {
        return shownState();
      },
      actions,
      history,
      files,
      editText: (text) => void this.#lend(text, editText),
    });
    files?.subscribe(() => {
      this.prompt.listChanged("file");
      this.#change();
    });
  }

  get dialog(): OpenDialog | undefined {
    return this.#dialog?.open;
  }

  /** Whether what the user types goes to the prompt. */
  get hasPrompt(): boolean {
    const { dialog } = this;
    return dialog === undefined || (dialog.kind === "choice" && (dialog.isExplaining || dialog.choices.isTyping));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** This state is on the screen. A question gets keys only from then on. */
  show(state: ChatState): void {
    if (state === this.#state && this.#isShown) return;
    const hasNewCommands = state.commands !== this.#state.commands;
    const { returned } = state;
    const hasReturned = returned.length > 0 && returned !== this.#state.returned;
    this.#isShown = true;
    this.#state = state;
    if (hasReturned) {
      this.prompt.giveBack(returned);
      this.#actions.takeReturned(returned);
    }
    if (hasNewCommands) this.prompt.listChanged("command");
    if (this.#showDialog(state) || hasNewCommands || hasReturned) this.#change();
  }

  /** Opens, updates or closes the dialog; returns whether anything has changed. */
  #showDialog(state: ChatState): boolean {
    const key = dialogKey(state);
    if (key === this.#dialog?.key) {
      const known: Dialog | undefined = this.dialog;
      known?.update?.(state);
      return known?.update !== undefined;
    }
    const open = dialogFor(state, this.#actions, this.prompt.editor.text !== "");
    this.#dialog = open === undefined || key === undefined ? undefined : { key, open };
    return true;
  }

  press(key: Key): void {
    if (this.#isLent) return;
    const { dialog } = this;
    if (key.ctrl && key.name === "c") {
      if (!this.hasPrompt || !this.prompt.clear()) this.#actions.interrupt();
    } else if (dialog === undefined) this.prompt.press(key);
    else if (!dialog.press(key)) this.#pressForPrompt(key, dialog);
    this.#change();
  }

  /** A key that the dialog has left to the prompt. */
  #pressForPrompt(key: Key, dialog: OpenDialog): void {
    const isReason = dialog.kind === "choice" && dialog.isExplaining && chordOf(key) === "enter";
    if (isReason) this.prompt.sendReason(() => dialog.reject());
    else this.prompt.edit(key);
  }

  paste(text: string): void {
    const dialog: Dialog | undefined = this.dialog;
    if (this.dialog?.kind === "help") this.#actions.closeOverlay();
    if (dialog?.paste === undefined) this.prompt.paste(text);
    else dialog.paste(text);
    this.#change();
  }

  async #lend(text: string, editText: InputContext["editText"]): Promise<void> {
    if (editText === undefined || this.#isLent) return;
    this.#isLent = true;
    try {
      const edited = await editText(text);
      if (edited !== undefined) this.prompt.setText(edited);
    } catch {
      // The text is as it was.
    } finally {
      this.#isLent = false;
      this.#change();
    }
  }

  #change(): void {
    for (const listener of this.#listeners) listener();
  }
}
