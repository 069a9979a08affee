/** How many lines are shown of what is long: from its beginning, and from its end. */
export interface ClipLimits {
  readonly head: number;
  readonly tail: number;
}

/**
 * Passes lines on as they come, up to a limit; then keeps the last ones for the end. So something long can be
 * shown while it grows without filling the screen.
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
    const lines = (this.#unfinished + text).split("\n");
    this.#unfinished = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  /** There is no more: shows the end of what was left out. */
  end(): void {
    if (this.#unfinished !== "") this.#take(this.#unfinished);
    this.#unfinished = "";
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

  #take(line: string): void {
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

/** Shows a whole text that way. */
export function showClipped(text: string, limits: ClipLimits, show: (line: string) => void): void {
  const clip = new LineClip(limits, show);
  clip.push(text);
  clip.end();
}
