/** A value that changes. A loop over it gets the current value, then each new one; a slow loop skips values. */
export class LatestValue<T> implements AsyncIterable<T> {
  #value: T | undefined;
  #count = 0;
  #end: { readonly error: unknown } | undefined;
  /** Continues the loops that wait for a change. */
  #waiting: (() => void)[] = [];

  get value(): T | undefined {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    this.#count++;
    this.#wake();
  }

  /** Removes the value. Loops wait for the next one. */
  clear(): void {
    this.#value = undefined;
  }

  /** Ends all loops; they throw `error`, if there is one. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#value = undefined;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    let seen = 0;
    while (this.#end === undefined) {
      if (this.#value === undefined || this.#count === seen) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      seen = this.#count;
      yield this.#value;
    }
    if (this.#end.error !== undefined) throw this.#end.error;
  }
}
