import { unlessAborted } from "../unless-aborted.ts";

/** Lets one task at a time work on a file, in the order they came. */
export class FileLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** @throws the reason of `signal` if that aborts before it is the task's turn; those behind it wait no longer for that. */
  async run<Result>(path: string, signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path);
    const result = before === undefined ? task() : unlessAborted(before, signal).then(task);
    // A task that has given up waiting lets nobody past those before it.
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
