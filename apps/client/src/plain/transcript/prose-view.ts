import type { Speaker } from "../../protocol/shown.ts";
import type { Printer } from "./printer.ts";
import type { Style } from "../../text/style.ts";
import { WordWrap } from "../../text/word-wrap.ts";

const prefixes: Readonly<Record<Speaker, string>> = { user: "> ", agent: "", thought: "(thinking) " };

/** Shows messages and thoughts as they arrive, one paragraph each. */
export class ProseView {
  readonly #printer: Printer;
  readonly #style: Style;
  readonly #wrap: WordWrap | undefined;
  #current: { readonly speaker: Speaker; readonly messageId: string | null | undefined } | undefined;

  /** `width` returns the width of the terminal; without it lines are not wrapped. */
  constructor(printer: Printer, style: Style, width: (() => number) | undefined) {
    this.#printer = printer;
    this.#style = style;
    this.#wrap = width === undefined ? undefined : new WordWrap(width);
  }

  /** Shows a chunk of a message. Another id or speaker begins a new message (UPD-04). */
  show(speaker: Speaker, messageId: string | null | undefined, text: string): void {
    if (this.#current?.speaker === speaker && this.#current.messageId === messageId) return this.#write(text);
    this.interrupt();
    this.#printer.gap();
    this.#current = { speaker, messageId };
    this.#printer.text(this.#style(speaker === "user" ? "bold" : "dim", prefixes[speaker]));
    this.#wrap?.begin(prefixes[speaker].length);
    // Leading space would look like a bug.
    this.#write(text.trimStart());
  }

  /** Shows the pending word; the message may continue. */
  flush(): void {
    if (this.#wrap !== undefined) this.#print(this.#wrap.flush());
  }

  /** Ends the paragraph, since something else is shown next. */
  interrupt(): void {
    if (this.#wrap !== undefined) this.#print(this.#wrap.end());
    this.#current = undefined;
  }

  #write(text: string): void {
    this.#print(this.#wrap === undefined ? text : this.#wrap.push(text));
  }

  #print(text: string): void {
    this.#printer.text(this.#current?.speaker === "thought" ? this.#style(["dim", "italic"], text) : text);
  }
}
