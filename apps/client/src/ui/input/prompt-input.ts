import type { ChatActions, ChatState, Prompt } from "../chat-state.ts";
import { type Completion, completionAt } from "./completion/completion.ts";
import type { ProjectFiles } from "../../text/project-files.ts";
import { editByKey } from "./editor/edit-keys.ts";
import { type Editor, emptyEditor, fullText, insert, paste, replace, withText } from "./editor/editor.ts";
import { foldedIn, refold } from "./editor/folds.ts";
import { moveByRows } from "./editor/rows.ts";
import { HistorySearch, HistoryWalk } from "./history/history-walk.ts";
import type { PromptHistory } from "./history/open-history.ts";
import { chordOf, type Key } from "./keys.ts";
import { toPrompt } from "./prompt/to-prompt.ts";

/** What the prompt needs from the program around it. */
export interface PromptContext {
  /** What is on the screen. */
  readonly state: () => ChatState;
  readonly actions: ChatActions;
  readonly history: PromptHistory;
  readonly files: ProjectFiles | undefined;
  /** Lets the user edit a text in another program; `undefined` if that failed. */
  editText(text: string): void;
}

/** The prompt that the user is typing: the editor with its completion, and the way through the history. */
export class PromptInput {
  /** The columns of the editor. */
  width = 80;
  #editor: Editor = emptyEditor;
  #completion: Completion | undefined;
  #search: HistorySearch | undefined;
  /** Ctrl-X was pressed. */
  #isPrefixed = false;
  readonly #context: PromptContext;
  readonly #walk: HistoryWalk;

  /** The keys that do more than edit. One that returns `false` edits. */
  readonly #commands: Readonly<Record<string, (key: Key) => unknown>> = {
    enter: () => this.#enter(),
    "shift+enter": () => this.#change(insert(this.#editor, "\n")),
    "ctrl+s": () => this.#send((prompt) => this.#context.actions.steer(prompt)),
    escape: () => this.#context.actions.cancel(),
    "ctrl+d": () => this.#whenEmpty(() => this.#context.actions.quit()),
    up: () => this.#up(),
    down: () => this.#down(),
    "ctrl+p": () => this.#showFound(this.#walk.back(this.#editor)),
    "ctrl+n": () => this.#showFound(this.#walk.forward(this.#editor)),
    "ctrl+r": () => {
      this.#completion = undefined;
      this.#search = new HistorySearch(this.#context.history.entries);
    },
    "ctrl+g": () => this.#context.editText(fullText(this.#editor)),
    "ctrl+x": () => (this.#isPrefixed = true),
    "shift+tab": () => nextMode(this.#context.state(), this.#context.actions),
    tab: () => this.#complete(),
    text: ({ text }) => text === "?" && this.#whenEmpty(() => this.#context.actions.open("help")),
  };

  constructor(context: PromptContext) {
    this.#context = context;
    this.#walk = new HistoryWalk(context.history);
  }

  get editor(): Editor {
    const match = this.#search?.match;
    return match === undefined ? this.#editor : withText(this.#editor, match);
  }

  get completion(): Completion | undefined {
    return this.#completion;
  }

  get search(): HistorySearch | undefined {
    return this.#search;
  }

  /** The line for the user's shell, if this is one: `!` with something behind it. A space before it makes it a prompt. */
  get command(): string | undefined {
    const text = fullText(this.editor);
    return /^!\s*\S/u.test(text) ? text.slice(1).trim() : undefined;
  }

  press(key: Key): void {
    if (this.#search !== undefined) this.#pressInSearch(this.#search, key);
    else if (this.#isPrefixed) this.#pressPrefixed(key);
    else if (!this.#pressInCompletion(key)) {
      const command = this.#commands[chordOf(key)];
      if (command === undefined || command(key) === false) this.edit(key);
    }
  }

  /** Edits without any of the keys that do more. */
  edit(key: Key): void {
    const edited = editByKey(this.#editor, key);
    if (edited !== undefined) this.#change(edited);
  }

  paste(text: string): void {
    this.#search = undefined;
    this.#change(paste(this.#editor, text));
  }

  /** Ctrl-C: leaves the search, or clears what was typed, which stays in the history. Returns whether there was anything. */
  clear(): boolean {
    const { history, actions } = this.#context;
    const text = fullText(this.#editor);
    if (this.#search !== undefined) this.#search = undefined;
    else if (text === "") return false;
    else {
      history.keep(text);
      this.#walk.end();
      this.setText("");
      actions.hint("Cleared. Up brings it back");
    }
    return true;
  }

  /** Rejects something, and gives the agent the prompt as the reason, if there is one. */
  sendReason(reject: () => void): void {
    if (fullText(this.#editor).trim() === "") return reject();
    this.#sendPrompt((prompt) => {
      reject();
      this.#context.actions.steer(prompt);
    });
  }

  /** Puts prompts that were not answered before what is typed. */
  giveBack(prompts: readonly Prompt[]): void {
    const before = prompts.map(({ text, pasted = [] }) => ({ text, pasted }));
    const draft = { text: fullText(this.#editor), pasted: this.#editor.pasted };
    const all = draft.text === "" ? before : [...before, draft];
    const pasted = all.flatMap((one) => one.pasted);
    this.#search = undefined;
    this.#walk.end();
    this.#show({ ...withText(this.#editor, refold(all.map(({ text }) => text).join("\n"), pasted)), pasted });
  }

  /** Shows another text, with the cursor at its end. */
  setText(text: string): void {
    this.#show(withText(this.#editor, text));
  }

  /** The files or the commands have changed: a list of them that is open changes too. */
  listChanged(kind: Completion["kind"]): void {
    if (this.#completion?.kind === kind) this.#complete();
  }

  #change(editor: Editor): void {
    this.#editor = editor;
    this.#complete();
  }

  /** Shows a text that the user has not typed just now. */
  #show(editor: Editor): void {
    this.#editor = editor;
    this.#completion = undefined;
  }

  #complete(): void {
    const { state, files } = this.#context;
    const wasFile = this.#completion?.kind === "file";
    this.#completion = completionAt(this.#editor, state().commands, files);
    if (this.#completion?.kind === "file" && !wasFile) files?.refresh();
  }

  #pressInCompletion(key: Key): boolean {
    const completion = this.#completion;
    if (completion === undefined) return false;
    const { items, selected } = completion;
    switch (chordOf(key)) {
      case "escape":
        this.#completion = undefined;
        return true;
      case "up":
      case "down":
        if (items.length < 2) return false;
        this.#completion = {
          ...completion,
          selected: (selected + (key.name === "down" ? 1 : -1) + items.length) % items.length,
        };
        return true;
      case "tab":
        this.#take(completion);
        return true;
      case "enter":
        return this.#enterInCompletion(completion);
      default:
        return false;
    }
  }

  /** Enter takes the entry; it sends the prompt if that was typed already, or is a command that takes nothing. */
  #enterInCompletion(completion: Completion): boolean {
    const item = completion.items[completion.selected];
    const typed = this.#editor.text.slice(completion.start, completion.end);
    if (item === undefined || typed === item.insert.trim()) return false;
    this.#take(completion);
    return !item.isWhole;
  }

  #take({ items, selected, start, end }: Completion): void {
    const item = items[selected];
    if (item === undefined) return;
    const edited = replace(this.#editor, start, end, item.insert);
    if (item.isOpen) this.#change(edited);
    else this.#show(edited);
  }

  #whenEmpty(act: () => void): boolean {
    if (this.#editor.text === "") act();
    return this.#editor.text === "";
  }

  #pressInSearch(search: HistorySearch, key: Key): void {
    const result = search.press(key);
    if (result === "search") return;
    this.#search = undefined;
    if (result === "leave") return;
    this.setText(search.match ?? this.#editor.text);
    // Enter only takes the prompt: the user may want to change it. Other keys do what they do.
    if (key.name !== "enter" && key.name !== "tab") this.press(key);
  }

  #pressPrefixed(key: Key): void {
    this.#isPrefixed = false;
    if (chordOf(key) === "ctrl+e") this.#context.editText(fullText(this.#editor));
    else this.press(key);
  }

  #enter(): void {
    const { text, cursor } = this.#editor;
    if (text[cursor - 1] === "\\") this.#change(replace(this.#editor, cursor - 1, cursor, "\n"));
    else this.#send((prompt) => this.#context.actions.submit(prompt));
  }

  #send(act: (prompt: Prompt) => void): void {
    const { command } = this;
    this.#sendPrompt(command === undefined ? act : () => this.#context.actions.runInShell(command));
  }

  #sendPrompt(act: (prompt: Prompt) => void): void {
    const { history } = this.#context;
    const { session, cwd } = this.#context.state();
    const text = fullText(this.#editor).trim();
    if (text === "") return;
    const pasted = foldedIn(this.#editor);
    history.add(text);
    this.#walk.end();
    this.setText("");
    act({ ...toPrompt(text, session?.cwd ?? cwd), ...(pasted.length === 0 ? {} : { pasted }) });
  }

  /** Up, or back in the history at the first row; on an empty line it takes back what waits. */
  #up(): void {
    const { state, actions } = this.#context;
    const waiting = this.#editor.text === "" && state().queued.length > 0 ? actions.takeBack() : undefined;
    if (waiting !== undefined) return this.giveBack([waiting]);
    if (!this.#walk.isOn(this.#editor)) {
      const moved = moveByRows(this.#editor, this.width, -1);
      if (moved !== undefined) return this.#show(moved);
      this.#walk.end();
    }
    this.#showFound(this.#walk.back(this.#editor));
  }

  #down(): void {
    const isOn = this.#walk.isOn(this.#editor);
    this.#showFound(isOn ? this.#walk.forward(this.#editor) : moveByRows(this.#editor, this.width, 1));
  }

  #showFound(editor: Editor | undefined): void {
    if (editor !== undefined) this.#show(editor);
  }
}

function nextMode({ options }: ChatState, actions: ChatActions): void {
  const mode = options.find(({ category }) => category === "mode");
  if (mode === undefined || mode.choices.length === 0) return;
  const index = mode.choices.findIndex(({ value }) => value === mode.value);
  const next = mode.choices[(index + 1) % mode.choices.length];
  if (next !== undefined) actions.setOption(mode, next.value);
}
