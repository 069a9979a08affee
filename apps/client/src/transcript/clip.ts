import { cutLine, grownLine } from "./printable.ts";

/** How many lines are shown of what is long: from its beginning, and from its end. */
export interface ClipLimits {
  readonly head: number;
  readonly tail: number;
}

/**
 * Passes lines on as they come, up to a limit; then keeps the last ones for the end. So something long can be
 * shown while it grows without filling the screen. Lines that are very long are cut.
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

  /** There is no more: shows the end of what was left out. */
  end(): void {
    if (this.#unfinished !== "") this.#endLine();
    const hidden = this.#left - this.#last.length;
    if (hidden > 0) {
      // One more goes, since the remark takes a line itself.
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
