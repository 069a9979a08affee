/** Asks the terminal whether it is there. It answers once it has shown what was written before. */
const question = "\u001B[5n";
/** How long a frame waits for that, in milliseconds; and at first, since a terminal may not answer at all. */
const patience = 2_000;
const firstPatience = 500;
/** The line is slow if an answer takes longer, in milliseconds. */
const slow = 250;

/**
 * Knows whether the terminal has shown what was written. On a slow line it may be far behind the agent, and so would be what the
 * user types.
 */
export class Backlog {
  #askedAt: number | undefined;
  /** Questions without an answer. */
  #open = 0;
  /** A terminal that does not answer is not asked again. */
  #isAnswering: boolean | undefined;
  #answered: (() => void) | undefined;
  #isSlow = false;

  /** Little at once should be written. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** What to write behind a frame. Times are in milliseconds. */
  ask(now: number): string {
    if (this.#askedAt !== undefined || this.#isAnswering === false || this.#answered !== undefined) return "";
    this.#askedAt = now;
    this.#open += 1;
    return question;
  }

  /** How long the next frame has to wait at most. */
  wait(now: number): number {
    if (this.#askedAt === undefined) return 0;
    const left = this.#askedAt + (this.#isAnswering === undefined ? firstPatience : patience) - now;
    if (left > 0) return left;
    this.#isAnswering ??= false;
    this.#askedAt = undefined;
    return 0;
  }

  answer(now: number): void {
    this.#isAnswering = true;
    this.#isSlow = this.#askedAt === undefined || now - this.#askedAt > slow;
    this.#askedAt = undefined;
    this.#open = Math.max(0, this.#open - 1);
    if (this.#open === 0) this.#answered?.();
  }

  /** Settles when no answer is on its way, which another program would take for something typed. */
  async settle(): Promise<void> {
    if (this.#open === 0 || this.#isAnswering === false) return;
    await new Promise<void>((resolve) => {
      this.#answered = resolve;
      setTimeout(resolve, patience).unref();
    });
    this.#answered = undefined;
    this.#askedAt = undefined;
    this.#open = 0;
  }
}
