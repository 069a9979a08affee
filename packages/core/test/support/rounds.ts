import { vi } from "vitest";
import type { Attitude } from "./cancel-plan.ts";

/** Has the clock run until a promise is settled, or `limit` milliseconds have passed. Needs a clock that is held. */
export async function drive<T>(promise: Promise<T>, limit: number): Promise<T> {
  const settled = new AbortController();
  const settle = (): void => settled.abort();
  promise.then(settle, settle);
  const start = Date.now();
  while (!settled.signal.aborted) {
    const passed = Date.now() - start;
    if (passed > limit) throw new Error(`Nothing has come of it within ${limit} ms`);
    vi.advanceTimersByTime(passed < 50 ? 1 : 5);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return promise;
}

/** How long those take who answer too late, in milliseconds: longer than a cancelled turn waits for them. */
export const lateness = 1500;

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until something is so, but not longer than `limit` milliseconds; tells whether it is. */
export async function within(limit: number, isSo: () => boolean): Promise<boolean> {
  for (let passed = 0; passed < limit && !isSo(); passed += 10) await wait(10);
  return isSo();
}

/** What somebody who is asked gives. */
export async function answerOf<T>(attitude: Attitude, signal: AbortSignal, answer: T): Promise<T> {
  if (attitude === "away") return new Promise(() => {});
  if (attitude === "listens") {
    return new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  }
  if (attitude === "later") await wait(4);
  if (attitude === "late") await wait(lateness);
  return answer;
}
