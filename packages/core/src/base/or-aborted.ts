import type { Abortable } from "./lazy-abort.ts";
import { sharedAbort } from "./shared-abort.ts";

/** What a promise gives, or the signal's reason as soon as it aborts. */
export function orAborted<T>(promise: Promise<T>, abortable: Abortable | undefined): Promise<T> {
  if (abortable === undefined) return promise;
  const signal = sharedAbort(abortable);
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
