const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `cleanup` when a signal is about to end this process, then lets it end by that signal, so that
 * its exit status is right. If the application listens to the signal itself, nothing is done: what it
 * means is the application's decision then. Returns a function that stops listening.
 */
export function beforeEndingBySignal(cleanup: () => Promise<void>): () => void {
  let stopped = false;
  const listeners = signals.map((signal) => {
    const listener = (): void => {
      // Others look at how many listeners there are to decide whether the default would have applied.
      process.off(signal, listener);
      if (process.listenerCount(signal) === 0) {
        void cleanup().finally(() => process.kill(process.pid, signal));
        return;
      }
      setImmediate(() => {
        if (!stopped) process.prependListener(signal, listener);
      });
    };
    process.prependListener(signal, listener);
    return { signal, listener };
  });
  return () => {
    stopped = true;
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}
