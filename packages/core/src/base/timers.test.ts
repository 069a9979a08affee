import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backgroundTimer } from "./timers.ts";

describe("backgroundTimer()", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  /** The program stands still: its timers do not fire, and are late then. */
  const standStill = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds);

  it("runs in time, and when it is as late as a busy program makes it", () => {
    const runs: string[] = [];
    backgroundTimer(() => runs.push("one"), 100);
    backgroundTimer(() => runs.push("other"), 200);
    vi.advanceTimersByTime(100);
    expect(runs).toEqual(["one"]);
    standStill(900);
    vi.advanceTimersByTime(100);
    expect(runs).toEqual(["one", "other"]);
  });

  it("restarts after the program was suspended, and can be stopped then", () => {
    const runs: string[] = [];
    backgroundTimer(() => runs.push("one"), 100);
    const stop = backgroundTimer(() => runs.push("other"), 100);
    standStill(60_000);
    vi.advanceTimersByTime(100);
    expect(runs).toEqual([]);
    stop();
    vi.advanceTimersByTime(100);
    expect(runs).toEqual(["one"]);
  });
});
