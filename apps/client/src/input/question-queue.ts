/** Lets one question after another have the user's attention. */
export class QuestionQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `ask` when the questions before it are over; rejects at once, also while it waits, when `signal` aborts. */
  async add<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
    let withdraw = (): void => {};
    const withdrawn = new Promise<never>((_, reject) => {
      withdraw = () => reject(signal.reason);
    });
    const answered = this.#last.then(() => {
      signal.throwIfAborted();
      return ask();
    });
    this.#last = answered.catch(() => {});
    signal.addEventListener("abort", withdraw, { once: true });
    try {
      signal.throwIfAborted();
      return await Promise.race([answered, withdrawn]);
    } finally {
      signal.removeEventListener("abort", withdraw);
    }
  }
}
