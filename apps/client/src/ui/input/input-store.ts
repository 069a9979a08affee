import type { ChatActions, ChatState } from "../chat-state.ts";
import type { Dialog } from "../questions/dialog.ts";
import { dialogFor, dialogKey, type OpenDialog } from "../questions/dialog-for.ts";
import { editByKey } from "./editor/edit-keys.ts";
import { type Editor, emptyEditor, fullText, insert, paste, replace, withText } from "./editor/editor.ts";
import { moveByRows } from "./editor/rows.ts";
import { HistoryWalk } from "./history/history-walk.ts";
import type { PromptHistory } from "./history/prompt-history.ts";
import type { Key } from "./keys.ts";
import { toPrompt } from "./prompt/to-prompt.ts";

/** What the user types, and who gets the keys: the open question, else the overlay, else the editor. */
export class InputStore {
  /** The columns of the editor. */
  width = 80;
  #editor: Editor = emptyEditor;
  #state: ChatState;
  #dialog: { readonly key: string; readonly open: OpenDialog } | undefined;
  #isShown = false;
  #version = 0;
  readonly #actions: ChatActions;
  readonly #history: PromptHistory;
  readonly #walk: HistoryWalk;
  readonly #listeners = new Set<() => void>();

  constructor(state: ChatState, actions: ChatActions, history: PromptHistory) {
    this.#state = state;
    this.#actions = actions;
    this.#history = history;
    this.#walk = new HistoryWalk(history);
  }

  get editor(): Editor {
    return this.#editor;
  }

  get dialog(): OpenDialog | undefined {
    return this.#dialog?.open;
  }

  /** A number that changes with everything that is drawn. */
  readonly getVersion = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** This state is on the screen. A question gets keys only from then on. */
  show(state: ChatState): void {
    if (state === this.#state && this.#isShown) return;
    this.#isShown = true;
    this.#state = state;
    const key = dialogKey(state);
    const known: Dialog | undefined = this.dialog;
    if (key === this.#dialog?.key) {
      if (known?.update === undefined) return;
      known.update(state);
    } else {
      const open = dialogFor(state, this.#actions, this.#editor.text !== "");
      this.#dialog = open === undefined || key === undefined ? undefined : { key, open };
    }
    this.#change();
  }

  press(key: Key): void {
    const dialog = this.dialog;
    if (dialog === undefined) this.#pressInEditor(key);
    else if (!dialog.press(key)) this.#edit(editByKey(this.#editor, key));
    this.#change();
  }

  paste(text: string): void {
    const dialog: Dialog | undefined = this.dialog;
    if (dialog?.paste === undefined) this.#edit(paste(this.#editor, text));
    else dialog.paste(text);
    this.#change();
  }

  #pressInEditor(key: Key): void {
    if (this.#pressCommand(key)) return;
    this.#edit(editByKey(this.#editor, key));
  }

  /** The keys that do more than edit; returns whether it was one. */
  #pressCommand(key: Key): boolean {
    const { text } = this.#editor;
    switch (nameOf(key)) {
      case "enter":
        this.#enter();
        return true;
      case "shift+enter":
        this.#edit(insert(this.#editor, "\n"));
        return true;
      case "ctrl+s":
        this.#send((prompt) => this.#actions.steer(prompt));
        return true;
      case "escape":
        if (this.#state.turn !== undefined) this.#actions.cancel();
        return true;
      case "ctrl+d":
        if (text !== "") return false;
        this.#actions.quit();
        return true;
      case "up":
        return this.#up();
      case "down":
        return this.#moveDown();
      case "ctrl+p":
        return this.#set(this.#walk.back(this.#editor));
      case "ctrl+n":
        return this.#set(this.#walk.forward(this.#editor));
      case "ctrl+o":
        this.#actions.toggleThoughts();
        return true;
      case "shift+tab":
        this.#nextMode();
        return true;
      case "text":
        if (key.text !== "?" || text !== "") return false;
        this.#actions.open("help");
        return true;
      default:
        return false;
    }
  }

  #enter(): void {
    const { text, cursor } = this.#editor;
    if (text[cursor - 1] === "\\") this.#edit(replace(this.#editor, cursor - 1, cursor, "\n"));
    else this.#send((prompt) => this.#actions.submit(prompt));
  }

  #send(act: (prompt: ReturnType<typeof toPrompt>) => void): void {
    const text = fullText(this.#editor).trim();
    if (text === "") return;
    this.#history.add(text);
    this.#walk.end();
    this.#editor = withText(this.#editor, "");
    act(toPrompt(text, this.#state.session?.cwd ?? this.#state.cwd));
  }

  /** Up, or back in the history at the first row; on an empty line it takes back what waits. */
  #up(): boolean {
    if (this.#editor.text === "" && this.#state.queued.length > 0) {
      const prompt = this.#actions.takeBack();
      if (prompt !== undefined) return this.#set(withText(this.#editor, prompt.text));
    }
    if (!this.#walk.isOn(this.#editor)) {
      const moved = moveByRows(this.#editor, this.width, -1);
      if (moved !== undefined) return this.#set(moved);
      this.#walk.end();
    }
    return this.#set(this.#walk.back(this.#editor));
  }

  #moveDown(): boolean {
    if (this.#walk.isOn(this.#editor)) return this.#set(this.#walk.forward(this.#editor));
    return this.#set(moveByRows(this.#editor, this.width, 1));
  }

  #nextMode(): void {
    const mode = this.#state.options.find(({ category }) => category === "mode");
    if (mode === undefined || mode.choices.length === 0) return;
    const index = mode.choices.findIndex(({ value }) => value === mode.value);
    const next = mode.choices[(index + 1) % mode.choices.length];
    if (next !== undefined) this.#actions.setOption(mode, next.value);
  }

  /** Shows this editor, if there is one. */
  #set(editor: Editor | undefined): true {
    this.#edit(editor);
    return true;
  }

  #edit(editor: Editor | undefined): void {
    if (editor !== undefined) this.#editor = editor;
  }

  #change(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

function nameOf({ name, ctrl, alt, shift }: Key): string {
  if (name === "text") return name;
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}
