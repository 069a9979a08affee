import { afterEach, expect, test, vi } from "vitest";

import { endProcess } from "./end-process.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A process that has ended, and has left another one in its group that only SIGKILL ends. */
function stubborn(signals: string[]): Parameters<typeof endProcess>[0] {
  return {
    pid: 7,
    stdout: { start() {}, pause() {}, resume() {} },
    stderr: { start() {}, pause() {}, resume() {} },
    exited: Promise.resolve({ exitCode: 0, signal: null }),
    release() {},
    signalGroup: (signal) => void signals.push(signal),
    isGroupAlive: () => !signals.includes("SIGKILL"),
  };
}

test("endProcess() gives a group no more than its time when the clock is set back meanwhile", async () => {
  const now = Date.now();
  let calls = 0;
  vi.spyOn(Date, "now").mockImplementation(() => (++calls < 3 ? now : now - 3_600_000));
  const signals: string[] = [];
  await endProcess(stubborn(signals), { eofGrace: 0, termGrace: 50 });
  expect(signals).toEqual(["SIGTERM", "SIGKILL"]);
});

test("endProcess() gives each step its configured time", async () => {
  vi.useFakeTimers();
  const signals: string[] = [];
  let hasEnded = false;
  const exited = new Promise<never>(() => {});
  void endProcess({ ...stubborn(signals), exited }, { eofGrace: 200, termGrace: 300 }).then(() => (hasEnded = true));
  await vi.advanceTimersByTimeAsync(199);
  expect(signals).toEqual([]);
  await vi.advanceTimersByTimeAsync(5);
  expect(signals).toEqual(["SIGTERM"]);
  await vi.advanceTimersByTimeAsync(290);
  expect(signals).toEqual(["SIGTERM"]);
  await vi.advanceTimersByTimeAsync(10);
  expect([signals, hasEnded]).toEqual([["SIGTERM", "SIGKILL"], false]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(hasEnded).toBe(true);
});
