/** The signals that ask a process to end. */
export type EndingSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

const signals: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** How a process receives signals, and sends them to itself. */
export interface RuntimeSignals {
  /** Listens, before other listeners if the runtime has an order. Returns a function that stops it. */
  listen(signal: EndingSignal, listener: () => void): () => void;
  /** Whether the application listens to it. Called while `listen` is stopped. */
  hasListener(signal: EndingSignal): boolean;
  /** Ends this process by a signal without listeners. */
  raise(signal: EndingSignal): void;
}

/**
 * Runs `cleanup` when a signal is about to end this process, then lets it end by that signal, so that its exit status is
 * right. Does nothing if the application listens to the signal itself: then the application decides. Returns a function
 * that stops listening.
 */
export function beforeEndingBySignal(runtime: RuntimeSignals, cleanup: () => Promise<void>): () => void {
  let stopped = false;
  const stops = new Map<EndingSignal, () => void>();
  const listen = (signal: EndingSignal): void => {
    const stop = runtime.listen(signal, () => {
      // Others count the listeners to decide whether the default would have applied.
      stop();
      if (runtime.hasListener(signal)) {
        setTimeout(() => {
          if (!stopped) listen(signal);
        }, 0);
      } else {
        void cleanup().finally(() => runtime.raise(signal));
      }
    });
    stops.set(signal, stop);
  };
  for (const signal of signals) listen(signal);
  return () => {
    stopped = true;
    for (const stop of stops.values()) stop();
  };
}
