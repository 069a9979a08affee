import { UsageError } from "@acp/core";
import { expect, test, vi } from "vitest";

import { fakeAgent, fakeClient, hang, settled, testClock } from "../src/index.ts";

test("timers run in the order of their times, those of one time in the order they were set, with the work between", async () => {
  const clock = testClock();
  const seen: string[] = [];
  const note = (what: string) => (): void => void seen.push(`${what} at ${clock.now()}`);
  clock.after(20, note("late"));
  clock.after(10, () => {
    note("first")();
    // Work that follows without a timer, however many steps it has, is done before the next timer.
    void (async () => {
      for (let step = 0; step < 50; step++) await Promise.resolve();
      note("work")();
      clock.after(5, note("between"));
    })();
  });
  clock.after(10, note("second"));
  const stop = clock.after(15, note("stopped"));
  stop();
  await clock.pass(19);
  expect(seen).toEqual(["first at 10", "work at 10", "second at 10", "between at 15"]);
  await clock.pass(1);
  expect(seen.at(-1)).toBe("late at 20");
});

test("a timer of 0 waits for the clock, and one that sets another of 0 runs both", async () => {
  const clock = testClock();
  let runs = 0;
  clock.after(0, () => clock.after(0, () => runs++));
  await settled();
  expect(runs).toBe(0);
  await clock.pass(0);
  expect(runs).toBe(1);
});

test("calls that overlap pass their time one after another, and time never goes back", async () => {
  const clock = testClock();
  const times: number[] = [];
  for (const at of [5, 15, 25]) clock.after(at, () => times.push(clock.now()));
  await Promise.all([clock.pass(10), clock.pass(10), clock.pass(10)]);
  expect(times).toEqual([5, 15, 25]);
  expect(clock.now()).toBe(30);
});

test("a timer that throws rejects the call, and the clock goes on", async () => {
  const clock = testClock();
  clock.after(5, () => {
    throw new Error("broken");
  });
  await expect(clock.pass(10)).rejects.toThrow("broken");
  expect(clock.now()).toBe(5);
  await clock.pass(10);
  expect(clock.now()).toBe(15);
});

test("anything but a time is refused, and Infinity never comes", async () => {
  const clock = testClock();
  expect(() => clock.pass(-1)).toThrow(UsageError);
  expect(() => clock.pass(Number.NaN)).toThrow("pass() takes milliseconds from 0 on");
  expect(() => clock.after(Number.NaN, () => {})).toThrow(UsageError);
  clock.after(Infinity, () => expect.unreachable());
  await clock.pass(Number.MAX_SAFE_INTEGER);
});

test("a limit of a client ends by the clock of the test, together with faked timers of the runner", async () => {
  vi.useFakeTimers();
  try {
    const clock = testClock();
    await using client = fakeClient(fakeAgent([hang()]), { clock, timeout: 5_000 });
    const refused = expect(Promise.resolve(client.prompt("Go"))).rejects.toThrow("within 5000 ms");
    await clock.pass(4_999);
    await clock.pass(1);
    await refused;
  } finally {
    vi.useRealTimers();
  }
});
