/** Runs questions to the user one after another. */
export class QuestionQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `ask` after the questions before it. Rejects as soon as `signal` aborts, also while it waits. */
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
