import type { ProxyMessage } from "./relay-end.ts";

/** A connection that is being opened. Messages that arrive meanwhile wait in order. */
export class Opening {
  readonly #opened: Promise<void>;
  #isOpen = false;
  #waiting = 0;

  /** @param opened rejects with the error for waiting requests. */
  constructor(opened: Promise<void>) {
    this.#opened = opened;
    opened.then(
      () => (this.#isOpen = true),
      () => {},
    );
  }

  /** Whether a message may pass at once, without overtaking one that waits. */
  get isDone(): boolean {
    return this.#isOpen && this.#waiting === 0;
  }

  wait({ kind }: ProxyMessage, resume: () => unknown): Promise<unknown> {
    this.#waiting++;
    return this.#opened.then(
      () => {
        this.#waiting--;
        return resume();
      },
      (error: unknown) => {
        if (kind === "request") throw error;
      },
    );
  }
}
