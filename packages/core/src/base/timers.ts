import { UsageError } from "./errors.ts";

/** The longest that timers wait, some 24 days: one that is to wait longer ends at once. */
export const longest = 0x7fffffff;

/** How late a timer fires at least whose program has stood still, in milliseconds. */
const tooLate = 1000;

/**
 * Checks a time limit that somebody chose; `Infinity` is none.
 *
 * @throws {UsageError} for what is no number of milliseconds, or less than 0.
 */
export function checkLimit(name: string, milliseconds: number): void {
  if (typeof milliseconds === "number" && milliseconds >= 0) return;
  throw new UsageError(`${name} is ${milliseconds}; expected milliseconds from 0 on, or Infinity for no limit`);
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
 * A timer that does not keep a program alive, where the runtime can tell; none for `Infinity`. One that fires far too late
 * begins anew: the program has stood still, stopped by Ctrl-Z or asleep with its machine. Nobody has waited then, and what
 * has come meanwhile is only read after it.
 */
export function backgroundTimer(run: () => void, milliseconds: number): () => void {
  if (milliseconds === Infinity) return () => {};
  const wait = Math.min(milliseconds, longest);
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
