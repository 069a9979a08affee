import { hangs } from "../support/hangs.ts";

/** Waits until a probe finds something. */
export async function eventually<T>(probe: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  const deadline = Date.now() + hangs;
  while (Date.now() < deadline) {
    // Polling is one step after another.
    // oxlint-disable-next-line no-await-in-loop
    const found = await probe();
    if (found !== undefined) return found;
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Did not come: ${what}`);
}
