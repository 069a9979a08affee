import { type Editor, fullText, withText } from "../editor/editor.ts";
import type { PromptHistory } from "./prompt-history.ts";

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
