import type { ProxyMessage } from "./relay-end.ts";

/** A way that is being opened: what arrives before it is open waits for that, in order. */
export class Opening {
  readonly #opened: Promise<void>;
  #isOpen = false;
  #waiting = 0;

  /** `opened` rejects with what requests are answered with if the way cannot be opened. */
  constructor(opened: Promise<void>) {
    this.#opened = opened;
    opened.then(
      () => {
        this.#isOpen = true;
      },
      () => {},
    );
  }

  /** Whether a message may go on at once: the way is open, and nothing that waits would be overtaken. */
  get isDone(): boolean {
    return this.#isOpen && this.#waiting === 0;
  }

  wait({ kind }: ProxyMessage, goOn: () => unknown): Promise<unknown> {
    this.#waiting++;
    return this.#opened.then(
      () => {
        this.#waiting--;
        return goOn();
      },
      (error: unknown) => {
        if (kind === "request") throw error;
      },
    );
  }
}
