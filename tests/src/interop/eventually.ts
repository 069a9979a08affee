/** Waits until a probe finds something, at most so many milliseconds. */
export async function eventually<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  what: string,
  milliseconds = 10_000,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    // Polling is one step after another.
    // oxlint-disable-next-line no-await-in-loop
    const found = await probe();
    if (found !== undefined) return found;
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Not within ${milliseconds} ms: ${what}`);
}
