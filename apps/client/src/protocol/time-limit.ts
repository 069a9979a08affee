import { TimeoutError } from "@acp/core";

import { inWords } from "./turn-limit.ts";

/**
 * Waits for an answer without which nothing can go on. There is no limit if the user was asked something meanwhile, such as to
 * log in, perhaps in a browser: that may take long, and the user can press Ctrl-C.
 *
 * @throws {TimeoutError} after so many milliseconds; its message says what the wait was for.
 */
export async function within<Result>(
  milliseconds: number,
  method: string,
  answer: Promise<Result>,
  wasAsked: () => boolean = () => false,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const late = (): void => {
      if (wasAsked()) return;
      const message = `The agent did not answer ${method} within ${inWords(milliseconds)}`;
      reject(new TimeoutError(method, milliseconds, message));
    };
    timer = setTimeout(late, milliseconds);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise, but rejects with the reason of `signal` as soon as that aborts. */
export function unlessAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
