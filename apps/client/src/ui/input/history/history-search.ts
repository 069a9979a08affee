import type { Key } from "../keys.ts";

/** Ctrl-R: looks for an earlier prompt that has what the user types. */
export class HistorySearch {
  query = "";
  /** Which of the matches is shown. */
  index = 0;
  readonly #newestFirst: readonly string[];
  #matches: readonly string[];

  constructor(entries: readonly string[]) {
    this.#newestFirst = entries.toReversed();
    this.#matches = this.#newestFirst;
  }

  get match(): string | undefined {
    return this.#matches[this.index];
  }

  get count(): number {
    return this.#matches.length;
  }

  /** Returns whether the search ends: with its match, or without. */
  press(key: Key): "take" | "leave" | "search" {
    const { name, ctrl } = key;
    if (name === "escape" || (ctrl && (name === "g" || name === "c"))) return "leave";
    if ((ctrl && name === "r") || name === "up") this.index = Math.min(this.index + 1, Math.max(0, this.count - 1));
    else if ((ctrl && name === "s") || name === "down") this.index = Math.max(0, this.index - 1);
    else if (name === "backspace") this.#look(Array.from(this.query).slice(0, -1).join(""));
    else if (ctrl && name === "u") this.#look("");
    else if (name === "text") this.#look(this.query + key.text);
    else return "take";
    return "search";
  }

  #look(query: string): void {
    const lower = query.toLowerCase();
    this.query = query;
    this.index = 0;
    this.#matches = this.#newestFirst.filter((entry) => entry.toLowerCase().includes(lower));
  }
}
