import { unlessAborted } from "../../protocol/time-limit.ts";

/** Runs questions to the user one after another. */
export class QuestionQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `ask` after the questions before it. Rejects as soon as `signal` aborts, also while it waits. */
  add<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
    const answered = this.#last.then(() => {
      signal.throwIfAborted();
      return ask();
    });
    this.#last = answered.catch(() => {});
    return unlessAborted(answered, signal);
  }
}
