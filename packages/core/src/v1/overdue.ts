import type { Abortable } from "../connection/lazy-abort.ts";
import { sharedAbort } from "../connection/shared-abort.ts";
import { backgroundTimer } from "../timers.ts";

/** How long a cancelled turn waits for what its client has begun to do for it, in milliseconds. */
export const grace = 1000;

/**
 * Whether a promise is still pending some time after the signal has aborted: `after` milliseconds. Settles, and never
 * rejects, when either is known.
 */
export async function isOverdue(
  promise: Promise<unknown>,
  abortable: Abortable,
  after: () => number = () => grace,
): Promise<boolean> {
  const signal = sharedAbort(abortable);
  let stop = (): void => {};
  let expect = (): void => {};
  const overdue = new Promise<boolean>((resolve) => {
    expect = () => {
      stop = backgroundTimer(() => resolve(true), after());
    };
    if (signal.aborted) expect();
    else signal.addEventListener("abort", expect, { once: true });
  });
  try {
    const settled = promise.then(
      () => false,
      () => false,
    );
    return await Promise.race([settled, overdue]);
  } finally {
    stop();
    signal.removeEventListener("abort", expect);
  }
}
