/** Waits this many milliseconds. Rejects with the reason of `signal` as soon as it aborts. */
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
 * Yields a text in chunks of three words, as a model would write it, and waits `delay` milliseconds between two chunks.
 * The chunks add up to the text.
 */
export async function* streamText(text: string, delay: number, signal: AbortSignal): AsyncGenerator<string> {
  const words = text.match(/\s*\S+\s*$|\s*\S+|^\s+$/gu) ?? [];
  const chunks = Array.from({ length: Math.ceil(words.length / 3) }, (_, at) =>
    words.slice(at * 3, at * 3 + 3).join(""),
  );
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0 && delay > 0) await pause(delay, signal);
    signal.throwIfAborted();
    yield chunk;
  }
}
