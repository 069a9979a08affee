import { unlessAborted } from "../unless-aborted.ts";

/** Runs one task at a time on a file, in the order of arrival. */
export class FileLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** @throws the reason of `signal` if it aborts before the task's turn; later tasks no longer wait for it. */
  async run<Result>(path: string, signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path);
    const result = before === undefined ? task() : unlessAborted(before, signal).then(task);
    // A cancelled task must not let others overtake those before it.
    const settled: Promise<void> = result
      .then(
        () => before,
        () => before,
      )
      .then(() => {
        if (this.#last.get(path) === settled) this.#last.delete(path);
      });
    this.#last.set(path, settled);
    return result;
  }
}
