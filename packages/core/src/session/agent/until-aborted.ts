import { type Abortable, orAborted } from "../../base/abort.ts";

/**
 * What an iterable yields until the signal aborts, also while the next item is awaited, which a model may take its time
 * for. The iterable is told then that nobody wants more.
 *
 * @throws the reason of the signal.
 */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: Abortable): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const { done, value } = await orAborted(iterator.next(), signal);
      isOver = done === true;
      if (isOver) return;
      yield value as T;
    }
  } finally {
    // Not awaited: a generator hears of it when it yields. What it throws then is told to nobody.
    if (!isOver) Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
