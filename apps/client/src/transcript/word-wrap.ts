/** Breaks streamed text between words. Keeps back a word until it is known to be complete. */
export class WordWrap {
  readonly #width: () => number;
  #column = 0;
  #space = "";
  #word = "";

  /** `width` tells how many characters fit in a line now. */
  constructor(width: () => number) {
    this.#width = width;
  }

  /** Begins a text behind something that takes `column` characters. */
  begin(column: number): void {
    this.#column = column;
    this.#space = "";
    this.#word = "";
  }

  /** Takes text; returns what can be shown now. */
  push(text: string): string {
    const parts = text.match(/\n|[^\S\n]+|\S+/gu) ?? [];
    return parts.map((part) => this.#take(part)).join("");
  }

  /** What was kept back, although its word may go on. */
  flush(): string {
    return this.#endWord();
  }

  /** The rest. */
  end(): string {
    const word = this.#endWord();
    this.#space = "";
    return word;
  }

  #take(part: string): string {
    if (part.trim() !== "") {
      this.#word += part;
      return "";
    }
    const word = this.#endWord();
    if (part !== "\n") {
      this.#space += part;
      return word;
    }
    this.#space = "";
    this.#column = 0;
    return `${word}\n`;
  }

  #endWord(): string {
    const word = this.#word;
    if (word === "") return "";
    const breaks = this.#column > 0 && this.#column + this.#space.length + word.length > this.#width();
    const before = breaks ? "\n" : this.#space;
    this.#column = breaks ? word.length : this.#column + before.length + word.length;
    this.#word = "";
    this.#space = "";
    return before + word;
  }
}

/** A whole text, broken between words. */
export function wrapWords(text: string, width: number): string {
  const wrap = new WordWrap(() => width);
  return wrap.push(text) + wrap.end();
}
