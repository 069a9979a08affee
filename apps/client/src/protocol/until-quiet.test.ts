import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { untilQuiet } from "./until-quiet.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  ["after 200 ms without anything", [], 200],
  ["200 ms after the last of what happens", [30, 150], 380],
  ["after a second at most", Array.from({ length: 30 }, () => 100), 1_000],
])("untilQuiet() resolves %s", async (_, pauses, expected) => {
  let listener = (): void => {};
  let resolvedAt: number | undefined;
  const started = Date.now();
  void untilQuiet({ subscribe: (one) => void (listener = one) }).then(() => (resolvedAt = Date.now() - started));
  for (const pause of pauses) {
    await vi.advanceTimersByTimeAsync(pause);
    listener();
  }
  await vi.advanceTimersByTimeAsync(2_000);
  expect(resolvedAt).toBe(expected);
  expect(vi.getTimerCount()).toBe(0);
});
