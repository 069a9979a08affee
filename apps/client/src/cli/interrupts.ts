/** How long the agent may take to end before the user is told that the client waits for it, in milliseconds. */
const patience = 500;

const waiting = "Waiting for the agent to end. Press Ctrl-C again to end it at once";

export interface InterruptActions {
  hint(text: string): void;
  /** The next Ctrl-C does not quit any more, whatever the last hint says. */
  disarmed?(): void;
  /** Ends the agent, and then this program. */
  quit(): void;
  /** Ends the agent at once, whatever it does. */
  kill(): void;
}

/**
 * Handles Ctrl-C: the first cancels the running turn, the second quits, and the third ends an agent that does not end by
 * itself. While the agent starts, the first one quits.
 */
export class Interrupts {
  readonly #actions: InterruptActions;
  #cancel: (() => void) | undefined;
  #pressed = false;
  #hasStarted = false;
  #isEnding = false;
  /** The next one kills. */
  #hasWarned = false;
  #warning: ReturnType<typeof setTimeout> | undefined;

  constructor(actions: InterruptActions) {
    this.#actions = actions;
  }

  /** The agent runs, and the session is open. */
  sessionOpened(): void {
    this.#hasStarted = true;
  }

  /** A turn runs until the returned function is called. */
  beginTurn(cancel: () => void): () => void {
    this.#cancel = cancel;
    this.reset();
    return () => {
      this.#cancel = undefined;
      this.reset();
    };
  }

  /** The agent is being ended, for whatever reason. */
  beginEnd(): void {
    this.#isEnding = true;
  }

  ended(): void {
    clearTimeout(this.#warning);
  }

  /** The user pressed Ctrl-C. */
  press(): void {
    if (this.#isEnding) return this.#pressWhileEnding();
    if (this.#pressed || !this.#hasStarted) return this.quit();
    this.#cancel?.();
    this.#actions.hint(`${this.#cancel === undefined ? "" : "Cancelling. "}Press Ctrl-C again to quit`);
    this.#pressed = true;
  }

  /** The user did something else, or the hint is gone. */
  reset(): void {
    if (!this.#pressed) return;
    this.#pressed = false;
    this.#actions.disarmed?.();
  }

  /** The user quits, in whatever way. */
  quit(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    // Most agents have ended before.
    this.#warning = setTimeout(() => this.#actions.hint(waiting), patience);
    this.#hasWarned = true;
    this.#actions.quit();
  }

  #pressWhileEnding(): void {
    clearTimeout(this.#warning);
    if (this.#hasWarned) return this.#actions.kill();
    this.#hasWarned = true;
    this.#actions.hint(waiting);
  }
}
