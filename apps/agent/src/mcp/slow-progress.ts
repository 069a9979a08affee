/** How often progress is told at most, in milliseconds. */
const interval = 300;

/** Tells progress a few times a second, however often a server does. The last one before a pause is always told. */
export class SlowProgress {
  readonly #tell: (progress: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: string | undefined;

  constructor(tell: (progress: string) => void) {
    this.#tell = tell;
  }

  set(progress: string): void {
    if (this.#timer !== undefined) {
      this.#waiting = progress;
      return;
    }
    this.#tell(progress);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting !== undefined) this.set(waiting);
    }, interval);
  }

  /** Nothing is told any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }
}
