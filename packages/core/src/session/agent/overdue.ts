import { type Abortable, sharedAbort } from "../../base/abort.ts";
import { backgroundTimer } from "../../base/timers.ts";

/** How long a cancelled turn waits for what its client has begun to do for it, in milliseconds. */
export const grace = 1000;

/**
 * Whether a promise is still pending some time after the signal has aborted: `after` milliseconds. Settles, and never
 * rejects, when either is known.
 */
export function isOverdue(
  promise: Promise<unknown>,
  abortable: Abortable,
  after: () => number = () => grace,
): Promise<boolean> {
  const signal = sharedAbort(abortable);
  return new Promise((resolve) => {
    let stop = (): void => {};
    const expect = (): void => {
      stop = backgroundTimer(() => resolve(true), after());
    };
    const settled = (): void => {
      stop();
      signal.removeEventListener("abort", expect);
      resolve(false);
    };
    promise.then(settled, settled);
    if (signal.aborted) expect();
    else signal.addEventListener("abort", expect, { once: true });
  });
}
