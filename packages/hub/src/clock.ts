import { backgroundTimer, checkLimit, requireArgument } from "@acp/core/internal";

/** The time, and timers, as a hub sees them: a test holds them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` later. Returns what stops it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The time of the machine. Its timers do not keep the program alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    checkLimit("The time of a clock", milliseconds);
    requireArgument(typeof run === "function", "after() takes a function behind the time", run);
    return backgroundTimer(run, milliseconds);
  },
};

/** Waits, or until the signal aborts. */
export function sleep(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = clock.after(milliseconds, done);
    signal.addEventListener("abort", done, { once: true });
  });
}
