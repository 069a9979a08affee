import { clearScreenDown, cursorTo, type Interface, moveCursor } from "node:readline";
import { stripVTControlCharacters } from "node:util";

import { textWidth } from "@acp/render";

import type { Streams } from "../../cli/streams.ts";
import type { Output } from "../print/printer.ts";

/**
 * The line at the bottom of a terminal where the user types. Text written here while a prompt is open appears
 * above it; the prompt and the typed text are drawn again below.
 */
export class PromptLine implements Output {
  readonly #editor: Interface;
  readonly #output: Streams["output"];
  #prompt: string | undefined;
  #isDrawn = false;
  /** The unfinished line above the prompt. */
  #begun = "";
  /** How many rows too low the editor believes the cursor to be. */
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
    // Some terminals, such as those of recorders, report a width of 0 columns.
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

  /** Hides the prompt until the running code returns, for callers that write to the terminal in other ways. */
  hidePrompt(): void {
    if (!this.#isDrawn) return;
    this.#erase();
    queueMicrotask(() => {
      if (this.#prompt !== undefined && !this.#isDrawn) this.#draw();
    });
  }

  /** Shows a prompt with the text typed so far. */
  open(prompt: string, typed = ""): void {
    if (!this.#atLineStart) this.#output.write("\n");
    this.#prompt = prompt;
    this.#draw();
    if (typed !== "") this.#editor.write(typed);
  }

  /** The user ended the line. Opens the `next` prompt, if there is one. */
  close(next?: string): void {
    this.#prompt = undefined;
    this.#isDrawn = false;
    this.#begun = "";
    this.#rowsOff = 0;
    this.#atLineStart = true;
    this.#editor.setPrompt("");
    if (next !== undefined) this.open(next);
  }

  /** Removes the prompt and the typed text, and returns that text. */
  removePrompt(): string {
    const { line } = this.#editor;
    if (this.#prompt === undefined) {
      // The terminal echoed text typed ahead somewhere in the output.
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
    // Lines break between words, so this is a single long word.
    if (textWidth(stripVTControlCharacters(this.#begun)) > columns) {
      this.#output.write(`${this.#begun}\n`);
      this.#begun = "";
    }
    // The editor moves up by the rows that it believes to be below.
    this.#output.write("\n".repeat(this.#rowsOff));
    this.#rowsOff = 0;
    // As a part of the prompt, the editor redraws and removes it together with the prompt.
    this.#editor.setPrompt(`${this.#begun}${this.#begun === "" ? "" : "\n"}${this.#prompt ?? ""}`);
    this.#editor.prompt(true);
    this.#isDrawn = true;
  }
}
