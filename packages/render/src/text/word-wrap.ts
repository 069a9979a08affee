import { breakable, lastCharacter, textWidth } from "./text-width.ts";

/**
 * Breaks streamed text between words, and around wide characters. Holds a word back until it is complete, or longer than
 * a line.
 */
export class WordWrap {
  readonly #width: () => number;
  #column = 0;
  #space = "";
  /** The part of the word that was not shown yet. */
  #word = "";
  /** The beginning of the word was shown. */
  #isBegun = false;

  /** `width` returns the current number of columns. */
  constructor(width: () => number) {
    this.#width = width;
  }

  /** Begins a text at this column of a line. */
  begin(column: number): void {
    this.#column = column;
    this.#space = "";
    this.#word = "";
    this.#isBegun = false;
  }

  /** Adds text, and returns what can be shown now. */
  push(text: string): string {
    const parts = text.match(/\n|[^\S\n]+|\S+/gu) ?? [];
    return parts.map((part) => this.#add(part)).join("");
  }

  /** Returns the pending word, which may continue. */
  flush(): string {
    return this.#endWord();
  }

  /** Ends the text, and returns the rest of it. */
  end(): string {
    const word = this.#endWord();
    this.#space = "";
    return word;
  }

  #add(part: string): string {
    if (part.trim() !== "") return this.#grow(part);
    const word = this.#endWord();
    if (part !== "\n") {
      this.#space += part;
      return word;
    }
    this.#space = "";
    this.#column = 0;
    return `${word}\n`;
  }

  #grow(part: string): string {
    const words = breakable(this.#word + part);
    const last = words.pop() ?? "";
    let shown = "";
    for (const word of words) {
      this.#word = word;
      shown += this.#endWord();
    }
    this.#word = last;
    const width = textWidth(last);
    if (!this.#isBegun && width <= this.#width()) return shown;
    // The last character may still get an accent, or decide whether a line may break after it.
    const character = lastCharacter(last);
    shown += this.#put(last.slice(0, last.length - character.length), width);
    this.#word = character;
    return shown;
  }

  #endWord(): string {
    const shown = this.#word === "" ? "" : this.#put(this.#word, textWidth(this.#word));
    this.#word = "";
    this.#isBegun = false;
    return shown;
  }

  /** Shows a part of a word of this width. */
  #put(text: string, width: number): string {
    if (text === "") return "";
    const taken = textWidth(text);
    if (this.#isBegun) {
      this.#column += taken;
      return text;
    }
    const space = textWidth(this.#space);
    const breaks = this.#column > 0 && this.#column + space + width > this.#width();
    const before = breaks ? "\n" : this.#space;
    this.#column = breaks ? taken : this.#column + space + taken;
    this.#space = "";
    this.#isBegun = true;
    return before + text;
  }
}

/** Breaks a whole text between words. */
export function wrapWords(text: string, width: number): string {
  const wrap = new WordWrap(() => width);
  return wrap.push(text) + wrap.end();
}
