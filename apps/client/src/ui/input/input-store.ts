import type { ChatActions, ChatState } from "../chat-state.ts";
import type { Dialog } from "../questions/dialog.ts";
import { dialogFor, dialogKey } from "../questions/dialog-for.ts";
import type { ProjectFiles } from "../../text/project-files.ts";
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
  /** It has changed: its view has to be drawn. */
  readonly changed: () => void;
}

/** What the user types, and who gets the keys: the open question, else the overlay, else the prompt. */
export class InputStore {
  readonly prompt: PromptInput;
  #state: ChatState;
  #isShown = false;
  #dialog: { readonly key: string; readonly open: Dialog } | undefined;
  #isLent = false;
  readonly #context: InputContext;

  constructor(state: ChatState, context: InputContext) {
    this.#state = state;
    this.#context = context;
    const { actions, history, files } = context;
    const editText = (text: string): void => void this.#lend(text);
    this.prompt = new PromptInput({ state: () => this.#state, actions, history, files, editText });
    files?.onChange(() => {
      this.prompt.listChanged("file");
      context.changed();
    });
  }

  get dialog(): Dialog | undefined {
    return this.#dialog?.open;
  }

  /** Whether what the user types goes to the prompt. */
  get hasPrompt(): boolean {
    return this.dialog === undefined || this.dialog.prompt !== undefined;
  }

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
      this.#context.actions.takeReturned(returned);
    }
    if (hasNewCommands) this.prompt.listChanged("command");
    if (this.#showDialog(state) || hasNewCommands || hasReturned) this.#context.changed();
  }

  /** Opens, updates or closes the dialog; returns whether anything has changed. */
  #showDialog(state: ChatState): boolean {
    const key = dialogKey(state);
    if (key === this.#dialog?.key) {
      this.dialog?.update?.(state);
      return this.dialog?.update !== undefined;
    }
    const open = dialogFor(state, this.#context.actions, this.prompt.editor.text !== "");
    this.#dialog = open === undefined || key === undefined ? undefined : { key, open };
    return true;
  }

  press(key: Key): void {
    if (this.#isLent) return;
    const { dialog } = this;
    if (key.ctrl && key.name === "c") {
      if (!this.hasPrompt || !this.prompt.clear()) this.#context.actions.interrupt();
    } else if (dialog === undefined) this.prompt.press(key);
    else if (!dialog.press(key)) this.#pressForPrompt(key, dialog);
    this.#context.changed();
  }

  /** A key that the dialog has left to the prompt. */
  #pressForPrompt(key: Key, dialog: Dialog): void {
    if (dialog.prompt === "reason" && chordOf(key) === "enter") this.prompt.sendReason(() => dialog.reject?.());
    else this.prompt.edit(key);
  }

  paste(text: string): void {
    if (this.dialog?.paste?.(text) !== true) this.prompt.paste(text);
    this.#context.changed();
  }

  async #lend(text: string): Promise<void> {
    const { editText } = this.#context;
    if (editText === undefined || this.#isLent) return;
    this.#isLent = true;
    try {
      const edited = await editText(text);
      if (edited !== undefined) this.prompt.setText(edited);
    } catch {
      // The text is as it was.
    } finally {
      this.#isLent = false;
      this.#context.changed();
    }
  }
}
