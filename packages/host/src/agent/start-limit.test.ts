import { TimeoutError } from "@acp/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { limitStart } from "./start-limit.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

test("a start has its whole time again after this process was suspended", () => {
  const limit = limitStart(60_000, undefined, () => new TimeoutError("start", 60_000, "too slow"));
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(60_000);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(59_999);
  expect(limit.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.signal.reason).toBeInstanceOf(TimeoutError);
});

test("a start that has ended has no limit any more, even if this process was suspended", () => {
  const limit = limitStart(60_000, undefined, () => new TimeoutError("start", 60_000, "too slow"));
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(60_000);
  limit.end();
  expect(vi.getTimerCount()).toBe(0);
});
