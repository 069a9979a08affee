import { grownLine, withoutControls } from "./printable.ts";

/** The beginning of an escape sequence, of which the rest is still to come. */
// oxlint-disable-next-line no-control-regex -- that is what it is about
const unfinishedEscape = /\u001B(?:[ -/]*|\[[ -?]*|[\]PX^_][^\u0007\u001B\u009C]*\u001B?)$|\u009B[ -?]*$/u;
/** How long such a beginning may become, in UTF-16 code units, before it counts as text. */
const maxEscape = 4_096;

/**
 * What a command writes, as the lines that a terminal would show of it in the end: what follows a carriage return
 * replaces the line. A line may also be shown while it is unfinished; then only its rest follows.
 */
export class TerminalLines {
  readonly #show: (line: string) => void;
  #escape = "";
  #line = "";
  /** What has been shown of the line. */
  #shown = "";
  /** There was a carriage return: a line feed ends the line, anything else replaces it. */
  #hasReturned = false;
  #isReplaced = false;

  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  /** Whether there is a part of a line that was not shown. */
  get isUnfinished(): boolean {
    return this.#line !== this.#shown;
  }

  push(text: string): void {
    const all = this.#escape + text;
    const escapeAt = all.search(unfinishedEscape);
    const end = escapeAt === -1 || all.length - escapeAt > maxEscape ? all.length : escapeAt;
    this.#escape = all.slice(end);
    for (const [index, line] of withoutControls(all.slice(0, end)).split("\n").entries()) {
      if (index > 0) this.#endLine();
      this.#grow(line);
    }
  }

  /** Nothing has come for a while. A line that changes all the time, to show progress, can wait until it is done. */
  pause(): void {
    if (!this.#isReplaced) this.flush();
  }

  /** Shows what there is of the line. */
  flush(): void {
    if (this.isUnfinished) this.#show(this.#line.slice(this.#shown.length));
    this.#shown = this.#line;
  }

  #grow(text: string): void {
    for (const [index, part] of text.split("\r").entries()) {
      if (index > 0) this.#hasReturned = true;
      if (part === "") continue;
      if (this.#hasReturned) {
        this.#line = "";
        this.#shown = "";
        this.#isReplaced = true;
        this.#hasReturned = false;
      }
      this.#line = grownLine(this.#line, part);
    }
  }

  #endLine(): void {
    if (this.#shown === "") this.#show(this.#line);
    else this.flush();
    this.#line = "";
    this.#shown = "";
    this.#hasReturned = false;
    this.#isReplaced = false;
  }
}
