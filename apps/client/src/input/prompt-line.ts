import { clearScreenDown, cursorTo, type Interface, moveCursor } from "node:readline";
import { stripVTControlCharacters } from "node:util";

import type { Streams } from "../streams.ts";
import type { Output } from "../transcript/printer.ts";
import { textWidth } from "../transcript/text-width.ts";

/**
 * The line at the bottom of a terminal that the user types in. What is written here while a prompt is open
 * goes above it, whoever writes it; the prompt and what was typed come back below.
 */
export class PromptLine implements Output {
  readonly #editor: Interface;
  readonly #output: Streams["output"];
  #prompt: string | undefined;
  #isDrawn = false;
  /** The beginning of a line above the prompt; what goes on with it is still to come. */
  #begun = "";
  /** How many rows lower the editor believes the cursor to be than it is. */
  #rowsOff = 0;
  #atLineStart = true;

  constructor(editor: Interface, output: Streams["output"]) {
    this.#editor = editor;
    this.#output = output;
  }

  get isTTY(): boolean {
    return true;
  }

  get columns(): number {
    // Some terminals, of recorders for instance, say that they are 0 columns wide.
    return this.#output.columns || 80;
  }

  get writableNeedDrain(): boolean {
    return this.#output.writableNeedDrain === true;
  }

  once(event: "drain", listener: () => void): unknown {
    return this.#output.once(event, listener);
  }

  write(text: string): boolean {
    if (this.#prompt === undefined) {
      this.#atLineStart = text.endsWith("\n");
      return this.#output.write(text);
    }
    this.hidePrompt();
    const all = this.#begun + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#begun = all.slice(end);
    return this.#output.write(all.slice(0, end));
  }

  /** Takes the prompt away for as long as the code that runs now; needed by who writes to the terminal by other ways. */
  hidePrompt(): void {
    if (!this.#isDrawn) return;
    this.#erase();
    queueMicrotask(() => {
      if (this.#prompt !== undefined && !this.#isDrawn) this.#draw();
    });
  }

  /** Shows a prompt with what has been typed for it. */
  open(prompt: string, typed = ""): void {
    if (!this.#atLineStart) this.#output.write("\n");
    this.#prompt = prompt;
    this.#draw();
    if (typed !== "") this.#editor.write(typed);
  }

  /** The user has ended the line. Another one follows if there is a `next` prompt. */
  close(next?: string): void {
    this.#prompt = undefined;
    this.#isDrawn = false;
    this.#begun = "";
    this.#rowsOff = 0;
    this.#atLineStart = true;
    this.#editor.setPrompt("");
    if (next !== undefined) this.open(next);
  }

  /** Takes away the prompt, and all that was typed, which is returned. */
  removePrompt(): string {
    const { line } = this.#editor;
    if (this.#prompt === undefined) {
      // What was typed ahead stands somewhere in the text that was shown.
      if (line !== "") this.#output.write("\n");
      this.#clear();
      return line;
    }
    if (!this.#isDrawn) this.#draw();
    this.#clear();
    this.#erase();
    this.#prompt = undefined;
    this.#editor.setPrompt("");
    this.#output.write(this.#begun);
    this.#atLineStart = this.#begun === "";
    this.#begun = "";
    return line;
  }

  #clear(): void {
    if (this.#editor.line === "") return;
    this.#editor.write(null, { ctrl: true, name: "e" });
    this.#editor.write(null, { ctrl: true, name: "u" });
  }

  #erase(): void {
    const { rows } = this.#editor.getCursorPos();
    moveCursor(this.#output, 0, -rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
    this.#rowsOff = rows;
    this.#isDrawn = false;
  }

  #draw(): void {
    const { columns } = this;
    // Lines are broken between words, so this is one word that nothing breaks.
    if (textWidth(stripVTControlCharacters(this.#begun)) > columns) {
      this.#output.write(`${this.#begun}\n`);
      this.#begun = "";
    }
    // The editor goes up as many rows as it went down.
    this.#output.write("\n".repeat(this.#rowsOff));
    this.#rowsOff = 0;
    // As a part of the prompt the editor finds it again, and takes it away with the prompt.
    this.#editor.setPrompt(`${this.#begun}${this.#begun === "" ? "" : "\n"}${this.#prompt ?? ""}`);
    this.#editor.prompt(true);
    this.#isDrawn = true;
  }
}
