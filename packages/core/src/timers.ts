/** Waits for a promise, at most so many milliseconds. Never rejects. */
export function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const settled = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(settled, settled);
  });
}

/** A timer that does not keep a program alive, where the runtime can tell. */
export function backgroundTimer(run: () => void, milliseconds: number): () => void {
  const timer: unknown = setTimeout(run, milliseconds);
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}
