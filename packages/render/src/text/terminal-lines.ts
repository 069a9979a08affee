import { KnownGraphics } from "./graphics.ts";
import { cutLine, escapeEnd, lineLimit, printable, withoutControls } from "./printable.ts";
import { type Line, type Span, textOf } from "./spans.ts";
import type { Format } from "./format.ts";
import { textWidth } from "./text-width.ts";

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
    const tail = all.slice(-maxUnfinished);
    const at = tail.search(unfinished);
    const end = at === -1 ? all.length : all.length - tail.length + at;
    this.held = all.slice(end);
    return all.slice(0, end);
  }
}

/**
 * Converts a command's output to the lines that a terminal would show in the end, with their colours: text after a carriage
 * return replaces the line. Of all other escape sequences nothing is left. A line that is too long to show is cut.
 */
export class TerminalLines {
  readonly #limit: number;
  readonly #show: (line: Line) => void;
  readonly #pieces = new Pieces();
  readonly #known = new KnownGraphics();
  #formats: readonly Format[] = [];
  #line: Span[] = [];
  #length = 0;
  #column = 0;
  /** A carriage return came: a line feed ends the line, any other text replaces it. */
  #hasReturned = false;
  #isReplaced = false;

  /** `limit`: longer lines are cut. */
  constructor(show: (line: Line) => void, limit: number = lineLimit) {
    this.#limit = limit;
    this.#show = show;
  }

  /** The line that is not complete yet; empty if there is none. */
  get unfinished(): Line {
    return [...this.#line];
  }

  /** Whether the unfinished line has replaced another one, as those do that show progress. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  push(text: string): void {
    const all = this.#pieces.push(text);
    let at = 0;
    for (let end = 0; end < all.length;) {
      // Most of it is text: a pattern for each piece of it would take too long.
      const code = all.charCodeAt(end);
      if (code >= 0x20 && (code < 0x7f || code > 0x9f)) {
        end += 1;
        continue;
      }
      if (end > at) this.#grow(all.slice(at, end));
      if (code === 0x0a) this.#endLine();
      else if (code === 0x0d) this.#hasReturned = true;
      else if (code === 0x09 && this.#length < this.#limit) this.#grow(" ".repeat(8 - (this.#column % 8)));
      end = code === 0x1b || code >= 0x80 ? this.#passEscape(all, end) : end + 1;
      at = end;
    }
    if (at < all.length) this.#grow(all.slice(at));
  }

  /** Applies an escape sequence if it is about formats; returns where it ends. */
  #passEscape(text: string, start: number): number {
    const begin = text.startsWith("\u001B[", start) ? start + 2 : start + 1;
    if (begin === start + 2 || text[start] === "\u009B") {
      // Digits and what stands between them, as one number: a text for each sequence would take too long.
      let key = 1;
      let end = begin;
      for (let code = text.charCodeAt(end); code >= 0x30 && code <= 0x3b; code = text.charCodeAt(++end))
        key = key * 16 + code - 0x30;
      if (text[end] === "m") {
        const isExact = key < Number.MAX_SAFE_INTEGER;
        this.#formats = this.#known.after(this.#formats, isExact ? key : undefined, () => text.slice(begin, end));
        return end + 1;
      }
    }
    return escapeEnd(text, start) ?? start + 1;
  }

  #grow(written: string): void {
    // Controls are gone already, but not all that changes the direction.
    const isPlain = plain.test(written);
    const text = isPlain ? written : withoutControls(written);
    if (text === "") return;
    if (this.#hasReturned) {
      this.#beginLine();
      this.#isReplaced = true;
    }
    const last = this.#line.at(-1);
    if (this.#length > this.#limit) return;
    this.#length += text.length;
    this.#column += isPlain ? text.length : textWidth(text);
    if (this.#length > this.#limit) {
      const cut = cutLine(textOf(this.#line) + text).slice(textOf(this.#line).length);
      this.#line.push({ text: cut, formats: this.#formats });
    } else if (last?.formats === this.#formats) this.#line.splice(-1, 1, { ...last, text: last.text + text });
    else this.#line.push({ text, formats: this.#formats });
  }

  #endLine(): void {
    this.#show(this.#line);
    this.#beginLine();
  }

  #beginLine(): void {
    this.#line = [];
    this.#length = 0;
    this.#column = 0;
    this.#hasReturned = false;
    this.#isReplaced = false;
  }
}

/** Text in which nothing can act on a terminal. */
const plain = /^[ -~]*$/u;

/** The lines of a whole output. */
export function terminalLines(text: string, limit?: number): Line[] {
  const lines: Line[] = [];
  const terminal = new TerminalLines((line) => lines.push(line), limit);
  terminal.push(text);
  if (terminal.unfinished.length > 0) lines.push(terminal.unfinished);
  return lines;
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
