/** The shortest time between two frames, in milliseconds. */
const frame = 33;

/** How many reports are read between two frames before the agent has to wait. */
export const reportsPerFrame = 2_000;

/** Runs `draw` soon after something has changed, but never more often than once a frame. */
export class Frames {
  readonly #draw: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires. */
  #due = 0;
  #last = 0;
  #isDrawing = false;
  #isWanted = false;
  #waiting: (() => void)[] = [];

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Something has changed; `delay` is the time in milliseconds until it needs to be looked at. */
  request(delay = 0): void {
    this.#isWanted = true;
    if (this.#timer !== undefined && this.#due <= this.#last + frame) return;
    const now = performance.now();
    const due = Math.max(this.#last + frame, now + delay);
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#drawDue(), due - now);
  }

  /** Draws now; from within a draw, soon. */
  flush(): void {
    if (this.#isDrawing) return this.request();
    this.#isWanted = false;
    this.#last = performance.now();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#isDrawing = true;
    try {
      this.#draw();
    } finally {
      this.#isDrawing = false;
    }
    for (const settle of waiting) settle();
  }

  /** A draw in between may have been enough, or is too short ago: that costs less than a timer for each. */
  #drawDue(): void {
    this.#timer = undefined;
    if (!this.#isWanted) return;
    if (performance.now() < this.#last + frame - 1) this.request();
    else this.flush();
  }

  /** Settles after the next frame. */
  next(): Promise<void> {
    this.request();
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Draws no more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const settle of this.#waiting.splice(0)) settle();
  }
}
