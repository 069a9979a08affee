import { requireArgument } from "@acp/core/internal";

/** Measures the time of a test. */
export interface Clock {
  /** Milliseconds. Only differences mean something. */
  now(): number;
  /** Calls `run` later. Returns what stops it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    requireArgument(typeof run === "function", "after() takes a function behind the time", run);
    if (milliseconds === Infinity) return () => {};
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Waits, or until the signal aborts. */
export function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
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
