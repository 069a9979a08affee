import { type Line, MarkdownStream } from "@acp/render";

/** How much of the text is compared to see whether it only grew; in UTF-16 code units. */
const compared = 64;

/** A message that may still grow. */
export class GrowingMessage {
  #stream = new MarkdownStream();
  #length = 0;
  #end = "";
  #width = 0;
  /** Lines that are final, but not in the scrollback yet. */
  #waiting: Line[] = [];
  #live: readonly Line[] = [];
  #isPrinted = false;
  #isRead = true;
  #isOpen: boolean | undefined;

  /** Takes the text as it is now, or a part of it if that is long: then `isRead` is false. */
  update(text: string, isOpen: boolean, width: number): void {
    const isSame = text.length === this.#length && isOpen === this.#isOpen && width === this.#width && this.#isRead;
    if (isSame && text.endsWith(this.#end)) return;
    const isGrown = text.length >= this.#length && text.startsWith(this.#end, this.#length - this.#end.length);
    // What is in the scrollback stays as it is; a text that the agent has replaced is drawn anew below it.
    if (!isGrown || (width !== this.#width && !this.#isPrinted)) this.#reset();
    const { done, live, isRead } = this.#stream.draw(text, isOpen, width);
    for (const line of done) this.#waiting.push(line);
    this.#live = live;
    this.#isRead = isRead;
    this.#isOpen = isOpen;
    this.#length = text.length;
    this.#end = text.slice(-compared);
    this.#width = width;
  }

  /** Takes the final lines for the scrollback. `isFirst`: they are the first ones of the message. */
  take(): { readonly lines: readonly Line[]; readonly isFirst: boolean } {
    const lines = this.#waiting;
    const isFirst = !this.#isPrinted;
    this.#isPrinted ||= lines.length > 0;
    this.#waiting = [];
    return { lines, isFirst };
  }

  /** The last lines that are not in the scrollback, at most so many. */
  rest(rows: number): readonly Line[] {
    const missing = rows - this.#live.length;
    return missing > 0 ? [...this.#waiting.slice(-missing), ...this.#live] : this.#live.slice(-rows);
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  /** Whether some of its lines are in the scrollback. */
  get isPrinted(): boolean {
    return this.#isPrinted;
  }

  #reset(): void {
    this.#stream = new MarkdownStream();
    this.#waiting = [];
  }
}
