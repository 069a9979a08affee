const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `listener` for the first signal that asks this process to end; a second one ends it. Returns what stops that. */
export function onEndingSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    forget();
    listener(signal);
  };
  const forget = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return forget;
}

/**
 * Sends a signal to a process; does nothing if it has ended. On Windows it never does anything: it would end that one
 * process, and nobody could find the processes that it has started.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
