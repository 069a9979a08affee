import { UsageError } from "./errors.ts";

/** The longest delay of a timer, some 24 days: a longer one fires at once. */
export const longestDelay = 0x7fffffff;

/** A timer that fires this late shows that the program was suspended, in milliseconds. */
const tooLate = 1000;

/**
 * Checks a time limit; `Infinity` is none.
 *
 * @throws {UsageError} for what is no number of milliseconds, or less than 0.
 */
export function checkLimit(name: string, milliseconds: number): void {
  if (typeof milliseconds === "number" && milliseconds >= 0) return;
  throw new UsageError(`${name} is ${String(milliseconds)}; expected milliseconds from 0 on, or Infinity for no limit`);
}

/** Waits for a promise, at most so many milliseconds. Never rejects. */
export function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const settled = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(settled, settled);
  });
}

/**
 * Starts a timer that does not keep the program alive, if the runtime can do that; `Infinity` starts none. Returns what stops it.
 *
 * A timer that fires far too late starts again: the program was suspended, by Ctrl-Z or with its machine, and reads what was
 * received meanwhile only after its timers.
 */
export function backgroundTimer(run: () => void, milliseconds: number): () => void {
  if (milliseconds === Infinity) return () => {};
  const wait = Math.min(milliseconds, longestDelay);
  let timer: ReturnType<typeof setTimeout>;
  const begin = (): void => {
    const due = Date.now() + wait;
    timer = setTimeout(() => (Date.now() - due > tooLate ? begin() : run()), wait);
    // A number in browsers.
    (timer as { unref?: () => void } & typeof timer).unref?.();
  };
  begin();
  return () => clearTimeout(timer);
}
