import { cutLine, grownLine } from "./printable.ts";

/** How many lines of a long text are shown: at its beginning, and at its end. */
export interface ClipLimits {
  readonly head: number;
  readonly tail: number;
}

/**
 * Shows lines as they arrive, up to a limit, and keeps the last ones for the end. So a long text does not fill the
 * screen while it grows. Very long lines are cut.
 */
export class LineClip {
  readonly #limits: ClipLimits;
  readonly #show: (line: string) => void;
  #shown = 0;
  #left = 0;
  /** The last lines that were not shown, one more than the limit. */
  #last: string[] = [];
  #unfinished = "";

  constructor(limits: ClipLimits, show: (line: string) => void) {
    this.#limits = limits;
    this.#show = show;
  }

  push(text: string): void {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) this.#endLine();
      this.#unfinished = grownLine(this.#unfinished, part);
    }
  }

  /** The text is complete: shows its last lines. */
  end(): void {
    if (this.#unfinished !== "") this.#endLine();
    const hidden = this.#left - this.#last.length;
    if (hidden > 0) {
      // The remark takes the place of one more line.
      this.#last.shift();
      this.#show(`… ${hidden + 1} more lines`);
    }
    for (const line of this.#last) this.#show(line);
    this.#last = [];
    this.#left = 0;
  }

  #endLine(): void {
    const line = cutLine(this.#unfinished);
    this.#unfinished = "";
    if (this.#shown < this.#limits.head) {
      this.#shown += 1;
      this.#show(line);
      return;
    }
    this.#left += 1;
    this.#last.push(line);
    if (this.#last.length > this.#limits.tail + 1) this.#last.shift();
  }
}
