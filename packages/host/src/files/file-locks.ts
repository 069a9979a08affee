/** Lets one task at a time work on a file, in the order they came. */
export class FileLocks {
  readonly #last = new Map<string, Promise<void>>();

  async run<Result>(path: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path);
    const result = before === undefined ? task() : before.then(task);
    const settled = result.then(
      () => {},
      () => {},
    );
    this.#last.set(path, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(path) === settled) this.#last.delete(path);
    }
  }
}
