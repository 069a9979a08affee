/** Waits for a promise, or rejects with the signal's reason as soon as it aborts. */
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
 * Runs something with a signal that aborts when one of `signals` does, for its reason. Unlike `AbortSignal.any`, it
 * leaves nothing behind on them: a session has one signal for all its requests.
 */
export async function withSignals<Result>(
  signals: readonly (AbortSignal | undefined)[],
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signals.find((signal) => signal?.aborted)?.reason);
  for (const signal of signals) if (signal !== undefined) listen(signal, abort);
  if (signals.some((signal) => signal?.aborted)) abort();
  try {
    return await run(controller.signal);
  } finally {
    for (const signal of signals) if (signal !== undefined) stopListening(signal, abort);
  }
}

/** The listeners of a signal, and the function that calls them. */
interface Listeners {
  readonly all: Set<() => void>;
  readonly callAll: () => void;
}

const listeners = new WeakMap<AbortSignal, Listeners>();

/** Shares one listener, since Node warns of a leak above ten. */
function listen(signal: AbortSignal, listener: () => void): void {
  let known = listeners.get(signal);
  if (known === undefined) {
    const all = new Set<() => void>();
    const callAll = (): void => {
      for (const each of all) each();
    };
    known = { all, callAll };
    listeners.set(signal, known);
    signal.addEventListener("abort", callAll, { once: true });
  }
  known.all.add(listener);
}

function stopListening(signal: AbortSignal, listener: () => void): void {
  const known = listeners.get(signal);
  known?.all.delete(listener);
  if (known === undefined || known.all.size > 0) return;
  listeners.delete(signal);
  signal.removeEventListener("abort", known.callAll);
}
