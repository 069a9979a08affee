import { cutLine, grownLine } from "./printable.ts";
import { type Line, span } from "./spans.ts";

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

/** The beginning and the end of lines; a remark says how many are left out, `omitted` of them before they came here. */
export function clippedLines(lines: readonly Line[], { head, tail }: ClipLimits, omitted = 0): Line[] {
  if (omitted > 0) {
    const shown = lines.slice(-Math.max(1, tail));
    return [remark(omitted + lines.length - shown.length, "lines before"), ...shown];
  }
  if (lines.length <= head + tail + 1) return [...lines];
  return [
    ...lines.slice(0, head),
    remark(lines.length - head - tail, head === 0 ? "lines before" : "more lines"),
    ...(tail === 0 ? [] : lines.slice(-tail)),
  ];
}

function remark(count: number, what: string): Line {
  return [span(`… ${count.toLocaleString("en")} ${what}`, "dim")];
}
