import { afterEach, expect, test, vi } from "vitest";

import { SlowProgress } from "./slow-progress.ts";

afterEach(() => void vi.useRealTimers());

test("reports progress a few times a second, and always the last one", () => {
  vi.useFakeTimers();
  const told: string[] = [];
  const progress = new SlowProgress((text) => told.push(text));
  for (let count = 1; count <= 1_000; count++) progress.set(String(count));
  expect(told).toEqual(["1"]);
  vi.advanceTimersByTime(300);
  expect(told).toEqual(["1", "1000"]);
  vi.advanceTimersByTime(1_000);
  progress.set("1001");
  expect(told).toEqual(["1", "1000", "1001"]);
});

test("reports nothing after the end", () => {
  vi.useFakeTimers();
  const told: string[] = [];
  const progress = new SlowProgress((text) => told.push(text));
  progress.set("a");
  progress.set("b");
  progress.end();
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual(["a"]);
  expect(vi.getTimerCount()).toBe(0);
});
