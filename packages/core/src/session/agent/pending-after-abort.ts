import { type Abortable, sharedAbort } from "../../base/abort.ts";
import { backgroundTimer } from "../../base/timers.ts";

/** How long a cancelled turn waits for its pending calls to the client, in milliseconds. */
export const callGrace = 1000;

/**
 * Resolves with `true` if the promise is still pending `after` milliseconds after the abort, and with `false` once the
 * promise has settled. Never rejects.
 */
export function pendingAfterAbort(
  promise: Promise<unknown>,
  abortable: Abortable,
  after: () => number = () => callGrace,
): Promise<boolean> {
  const signal = sharedAbort(abortable);
  return new Promise((resolve) => {
    let stop = (): void => {};
    const startTimer = (): void => {
      stop = backgroundTimer(() => resolve(true), after());
    };
    const settled = (): void => {
      stop();
      signal.removeEventListener("abort", startTimer);
      resolve(false);
    };
    promise.then(settled, settled);
    if (signal.aborted) startTimer();
    else signal.addEventListener("abort", startTimer, { once: true });
  });
}
