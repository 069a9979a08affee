import type { Abortable } from "../connection/lazy-abort.ts";
import { sharedAbort } from "../connection/shared-abort.ts";

/**
 * What an iterable yields until the signal aborts, also while the next item is awaited, which a model may take its time
 * for. The iterable is told then that nobody wants more.
 *
 * @throws the reason of the signal.
 */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: Abortable): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  const shared = sharedAbort(signal);
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await unlessAborted(shared, () => iterator.next());
      isOver = done === true;
      if (isOver) return;
      yield value as T;
    }
  } finally {
    // Not awaited: a generator hears of it when it yields. What it throws then is told to nobody.
    if (!isOver) Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** The result of `run`, or the signal's reason as soon as it aborts. */
function unlessAborted<T>(signal: Abortable, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const stop = (): void => signal.removeEventListener("abort", abort);
    run().then(
      (result) => {
        stop();
        resolve(result);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}
