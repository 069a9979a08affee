import type { Abortable } from "./lazy-abort.ts";

const shared = new WeakMap<Abortable, Abortable>();

/**
 * The same signal with one listener for all who wait for it. A turn may have any number of calls under way with its
 * signal, but Node takes more than ten listeners for a leak, and says so on stderr.
 */
export function sharedAbort(signal: Abortable): Abortable {
  if (signal.isShared) return signal;
  let known = shared.get(signal);
  if (known === undefined) {
    known = new SharedAbort(signal);
    shared.set(signal, known);
  }
  return known;
}

class SharedAbort implements Abortable {
  readonly isShared = true;
  readonly #signal: Abortable;
  readonly #listeners = new Set<() => void>();

  constructor(signal: Abortable) {
    this.#signal = signal;
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    return this.#signal.reason;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#listeners.size === 0) this.#signal.addEventListener("abort", this.#tell, { once: true });
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const isLast = this.#listeners.delete(listener) && this.#listeners.size === 0;
    if (isLast) this.#signal.removeEventListener("abort", this.#tell);
  }

  readonly #tell = (): void => {
    for (const listener of this.#listeners) {
      this.#listeners.delete(listener);
      listener();
    }
  };
}
