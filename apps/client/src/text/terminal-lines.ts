import { grownLine, withoutControls, printable } from "./printable.ts";

/** An escape sequence, or a carriage return, at the end of a text that may not be complete. */
// oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
const unfinished = /(?:\u001B(?:[ -/]*|\[[ -?]*|[\]PX^_][^\u0007\u001B\u009C]*\u001B?)|\u009B[ -?]*|\r)$/u;
/** How long it may become, in UTF-16 code units, before it counts as text. */
const maxUnfinished = 4_096;

/** A text that comes in pieces: an escape sequence at the end of one waits for the next. */
class Pieces {
  held = "";

  /** Adds a piece, and returns what is complete. */
  push(text: string): string {
    const all = this.held + text;
    // Most texts have none, and the pattern looks at each of their characters.
    // oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
    const at = /[\u001B\u009B\r]/u.test(all) ? all.search(unfinished) : -1;
    const end = at === -1 || all.length - at > maxUnfinished ? all.length : at;
    this.held = all.slice(end);
    return all.slice(0, end);
  }
}

/**
 * Converts a command's output to the lines that a terminal would show in the end: text after a carriage return replaces
 * the line. An unfinished line can be shown early; then only the rest of it follows.
 */
export class TerminalLines {
  readonly #show: (line: string) => void;
  readonly #pieces = new Pieces();
  #line = "";
  /** The shown part of the line. */
  #shown = "";
  /** A carriage return came: a line feed ends the line, any other text replaces it. */
  #hasReturned = false;
  #isReplaced = false;

  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  /** Whether a part of the line was not shown yet. */
  get isUnfinished(): boolean {
    return this.#line !== this.#shown;
  }

  /** The line that is not complete yet. */
  get unfinished(): string {
    return this.#line;
  }

  push(text: string): void {
    for (const [index, line] of withoutControls(this.#pieces.push(text)).split("\n").entries()) {
      if (index > 0) this.#endLine();
      this.#grow(line);
    }
  }

  /** The output paused. A line that shows progress waits until it is complete. */
  pause(): void {
    if (!this.#isReplaced) this.flush();
  }

  /** Shows the unfinished line. */
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

/** Makes a text that comes in pieces safe for a terminal, also if an escape sequence comes in pieces. */
export class SafeText {
  readonly #pieces = new Pieces();

  /** Adds a piece, and returns what can be shown. */
  push(text: string): string {
    return printable(this.#pieces.push(text));
  }

  /** Returns the rest. */
  end(): string {
    const rest = printable(this.#pieces.held);
    this.#pieces.held = "";
    return rest;
  }
}
