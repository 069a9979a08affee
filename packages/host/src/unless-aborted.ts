/** Waits for a promise; rejects with the signal's reason as soon as it aborts, whatever becomes of the promise. */
export function unlessAborted<Value>(value: Value | PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    const stop = (): void => signal.removeEventListener("abort", abort);
    Promise.resolve(value).then(
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

/**
 * Runs something with a signal that aborts when one of `signals` does, for its reason. Nothing of it stays with them, as
 * it would of `AbortSignal.any`: a session has one signal for all its requests.
 */
export async function withSignals<Result>(
  signals: readonly (AbortSignal | undefined)[],
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signals.find((signal) => signal?.aborted)?.reason);
  for (const signal of signals) signal?.addEventListener("abort", abort, { once: true });
  if (signals.some((signal) => signal?.aborted)) abort();
  try {
    return await run(controller.signal);
  } finally {
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  }
}
