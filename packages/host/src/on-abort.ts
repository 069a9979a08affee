/** Calls `listener` when a signal aborts, or if it has. Returns a function that stops it. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted === true) listener();
  else signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
}
