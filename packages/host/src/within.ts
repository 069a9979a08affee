import { checkLimit, longestDelay } from "@acp/core/internal";

/**
 * Checks a time limit and converts it for timers: `Infinity` for no limit, else no more than they can wait.
 *
 * @throws {UsageError} if it is not a number, or less than 0.
 */
export function timeLimit(option: string, milliseconds: number): number {
  checkLimit(option, milliseconds);
  return milliseconds === Infinity ? milliseconds : Math.min(milliseconds, longestDelay);
}

/** Waits for `promise`, at most `milliseconds` (`Infinity` for no limit). Returns whether it settled in time. */
export function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const isLimited = milliseconds !== Infinity;
    const timer = isLimited ? setTimeout(() => resolve(false), milliseconds) : undefined;
    const settled = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

/**
 * Waits for the end of an output of a process that has ended, at most `milliseconds`. Reads the pipe's remaining bytes
 * in any case: a program that was busy for that long reads them only after its timers.
 */
export async function drained(ended: Promise<unknown>, milliseconds: number): Promise<void> {
  if (await within(ended, milliseconds)) return;
  const inNextTurn: unknown = Reflect.get(globalThis, "setImmediate");
  if (typeof inNextTurn !== "function") return;
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => void inNextTurn(resolve));
}

/** Waits so many milliseconds. */
export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
