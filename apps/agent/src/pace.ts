/** Waits; rejects with the signal's reason as soon as it aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/**
 * A text in pieces of a few words, `milliseconds` apart, as a model would write it. All pieces together
 * are the text.
 */
export async function* inPieces(text: string, milliseconds: number, signal: AbortSignal): AsyncGenerator<string> {
  const words = text.match(/\s*\S+\s*$|\s*\S+|^\s+$/gu) ?? [];
  const pieces = Array.from({ length: Math.ceil(words.length / 3) }, (_, at) =>
    words.slice(at * 3, at * 3 + 3).join(""),
  );
  for (const [index, piece] of pieces.entries()) {
    // One after another is the point.
    if (index > 0 && milliseconds > 0) await pause(milliseconds, signal);
    signal.throwIfAborted();
    yield piece;
  }
}
