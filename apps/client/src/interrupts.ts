/** What Ctrl-C does: cancel the running turn; the second time, or without a turn, quit. */
export class Interrupts {
  readonly #quit: () => void;
  readonly #hint: (text: string) => void;
  #cancel: (() => void) | undefined;
  #pressed = false;

  constructor(quit: () => void, hint: (text: string) => void) {
    this.#quit = quit;
    this.#hint = hint;
  }

  /** A turn runs, until the function that is returned is called. */
  during(cancel: () => void): () => void {
    this.#cancel = cancel;
    this.#pressed = false;
    return () => {
      this.#cancel = undefined;
      this.#pressed = false;
    };
  }

  /** The user has pressed Ctrl-C. */
  press(): void {
    if (this.#pressed) return this.#quit();
    this.#pressed = true;
    if (this.#cancel === undefined) return this.#hint("Press Ctrl-C again to quit");
    this.#cancel();
    this.#hint("Cancelling. Press Ctrl-C again to quit");
  }

  /** The user has done something else. */
  reset(): void {
    this.#pressed = false;
  }
}
