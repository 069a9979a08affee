/** Handles Ctrl-C: the first cancels the running turn, the second quits. While the agent starts, the first one quits. */
export class Interrupts {
  readonly #quit: () => void;
  readonly #hint: (text: string) => void;
  #cancel: (() => void) | undefined;
  #pressed = false;
  #hasStarted = false;

  constructor(quit: () => void, hint: (text: string) => void) {
    this.#quit = quit;
    this.#hint = hint;
  }

  /** The agent runs, and the session is open. */
  sessionOpened(): void {
    this.#hasStarted = true;
  }

  /** A turn runs until the returned function is called. */
  beginTurn(cancel: () => void): () => void {
    this.#cancel = cancel;
    this.#pressed = false;
    return () => {
      this.#cancel = undefined;
      this.#pressed = false;
    };
  }

  /** The user pressed Ctrl-C. */
  press(): void {
    if (this.#pressed || !this.#hasStarted) return this.#quit();
    this.#pressed = true;
    if (this.#cancel === undefined) return this.#hint("Press Ctrl-C again to quit");
    this.#cancel();
    this.#hint("Cancelling. Press Ctrl-C again to quit");
  }

  /** The user did something else. */
  reset(): void {
    this.#pressed = false;
  }
}
