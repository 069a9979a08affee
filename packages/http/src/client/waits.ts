import { immediate } from "@acp/core/internal";

import { PassingHttpError } from "../http-error.ts";

/** The pause before the next attempt, in milliseconds; doubled each time, up to the longest. */
const firstPause = 100;
const longestPause = 2000;

/** The pause before the next attempt when so many have failed in a row, in milliseconds: none after the first. */
export function pauseAfter(failures: number): number {
  return failures <= 1 ? 0 : Math.min(firstPause * 2 ** (failures - 2), longestPause);
}

/** Waits so many milliseconds, or until the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}

/** Makes a request again while the network fails, for so many milliseconds after the first failure. */
export async function persist<T>(request: () => Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T> {
  let since: number | undefined;
  for (let failures = 1; ; failures++) {
    try {
      return await request();
    } catch (error) {
      since ??= Date.now();
      if (!(error instanceof PassingHttpError) || signal.aborted || Date.now() - since >= milliseconds) throw error;
      await pause(pauseAfter(failures), signal);
    }
  }
}

/**
 * Lets the runtime process network events, also which idle connections the server has closed while the program was busy or
 * asleep. A POST on such a connection would be lost, and a server that does not number them may have taken it, so that it
 * cannot be repeated. It takes two turns, because this one may continue with older events. Browsers do this themselves.
 */
export async function nextNetworkEvents(): Promise<void> {
  const nextTurn = immediate;
  if (typeof nextTurn !== "function") return;
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => void nextTurn(resolve));
}
