import { type Speaker, WordWrap } from "@acp/render";

import type { Style } from "../../text/style.ts";
import type { Printer } from "./printer.ts";

const prefixes: Readonly<Record<Speaker, string>> = { user: "> ", agent: "", thought: "(thinking) " };

/** Prints messages and thoughts as they grow, one paragraph each. */
export class Prose {
  readonly #printer: Printer;
  readonly #style: Style;
  readonly #wrap: WordWrap | undefined;
  #speaker: Speaker | undefined;

  /** `width` returns the width of the terminal; without it lines are not wrapped. */
  constructor(printer: Printer, style: Style, width: (() => number) | undefined) {
    this.#printer = printer;
    this.#style = style;
    this.#wrap = width === undefined ? undefined : new WordWrap(width);
  }

  /** Prints more of the message, or begins one after {@link interrupt} (UPD-04). */
  show(speaker: Speaker, text: string): void {
    if (this.#speaker !== undefined) return this.#write(text);
    this.#printer.gap();
    this.#speaker = speaker;
    this.#printer.text(this.#style(speaker === "user" ? "bold" : "dim", prefixes[speaker]));
    this.#wrap?.begin(prefixes[speaker].length);
    // Leading space would look like a bug.
    this.#write(text.trimStart());
  }

  /** Prints the pending word; the message may go on. */
  flush(): void {
    if (this.#wrap !== undefined) this.#print(this.#wrap.flush());
  }

  /** Ends the paragraph, since something else comes next. */
  interrupt(): void {
    if (this.#wrap !== undefined) this.#print(this.#wrap.end());
    this.#speaker = undefined;
  }

  #write(text: string): void {
    this.#print(this.#wrap === undefined ? text : this.#wrap.push(text));
  }

  #print(text: string): void {
    this.#printer.text(this.#speaker === "thought" ? this.#style(["dim", "italic"], text) : text);
  }
}
