import { afterEach, expect, test, vi } from "vitest";

import { drained } from "./within.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("drained() lets a program that was busy for the whole time read the remaining output", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const waiting = drained(new Promise(() => {}), 10);
  let isRead = false;
  vi.advanceTimersByTime(10);
  // As a pipe is read: after the timers.
  setImmediate(() => (isRead = true));
  await waiting;
  expect(isRead).toBe(true);
});

test("drained() does not wait when the output has ended", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await drained(Promise.resolve(), 10);
  expect(vi.getTimerCount()).toBe(0);
});
