import { type Editor, fullText, withText } from "../editor/editor.ts";
import type { PromptHistory } from "./open-history.ts";
import type { Key } from "../keys.ts";

/** The way through the history with the arrow keys. What was typed before it began comes back at its end. */
export class HistoryWalk {
  readonly #history: PromptHistory;
  #entries: readonly string[] = [];
  /** How many entries back; 0 is the text of the user. */
  #steps = 0;
  #draft: Editor | undefined;

  constructor(history: PromptHistory) {
    this.#history = history;
  }

  /** The entry before the shown one; `undefined` at the beginning of the history. */
  back(editor: Editor): Editor | undefined {
    if (this.#steps === 0) {
      this.#entries = this.#history.entries;
      this.#draft = editor;
    }
    const entry = this.#entries.at(-1 - this.#steps);
    if (entry === undefined || this.#steps >= this.#entries.length) return undefined;
    this.#steps += 1;
    return withText(editor, entry);
  }

  /** The entry after the shown one; `undefined` if the user is not in the history. */
  forward(editor: Editor): Editor | undefined {
    if (this.#steps === 0) return undefined;
    this.#steps -= 1;
    if (this.#steps > 0) return withText(editor, this.#entries.at(-this.#steps) ?? "");
    return this.#draft;
  }

  /** Whether the editor shows an entry as it is in the history. */
  isOn(editor: Editor): boolean {
    return this.#steps > 0 && this.#entries.at(-this.#steps) === fullText(editor);
  }

  end(): void {
    this.#steps = 0;
    this.#draft = undefined;
  }
}

/** Ctrl-R: looks for an earlier prompt that has what the user types. */
export class HistorySearch {
  query = "";
  /** Which of the matches is shown. */
  index = 0;
  readonly #newestFirst: readonly string[];
  #matches: readonly string[];

  constructor(entries: readonly string[]) {
    this.#newestFirst = entries.toReversed();
    this.#matches = this.#newestFirst;
  }

  get match(): string | undefined {
    return this.#matches[this.index];
  }

  get count(): number {
    return this.#matches.length;
  }

  /** Returns whether the search ends: with its match, or without. */
  press(key: Key): "take" | "leave" | "search" {
    const { name, ctrl } = key;
    if (name === "escape" || (ctrl && (name === "g" || name === "c"))) return "leave";
    if ((ctrl && name === "r") || name === "up") this.index = Math.min(this.index + 1, Math.max(0, this.count - 1));
    else if ((ctrl && name === "s") || name === "down") this.index = Math.max(0, this.index - 1);
    else if (name === "backspace") this.#look(Array.from(this.query).slice(0, -1).join(""));
    else if (ctrl && name === "u") this.#look("");
    else if (name === "text") this.#look(this.query + key.text);
    else return "take";
    return "search";
  }

  #look(query: string): void {
    const lower = query.toLowerCase();
    this.query = query;
    this.index = 0;
    this.#matches = this.#newestFirst.filter((entry) => entry.toLowerCase().includes(lower));
  }
}
