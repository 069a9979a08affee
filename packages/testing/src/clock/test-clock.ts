import { checkLimit, immediate, requireArgument } from "@acp/core/internal";

import type { Clock } from "./clock.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /**
   * Lets time pass, timer by timer, in their order. After each, it waits until everything that follows from it without a timer
   * or another process has happened. Calls that overlap pass their time one after another.
   *
   * @throws what a timer throws. The clock stands at that timer then, and goes on with the next call.
   */
  pass(milliseconds: number): Promise<void>;
}

/** Creates a clock that stands still until a test moves it. It starts at 0. */
export function testClock(): TestClock {
  let now = 0;
  let passed: Promise<void> = Promise.resolve();
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();

  async function move(milliseconds: number): Promise<void> {
    const end = now + milliseconds;
    await settled();
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      timers.delete(next);
      now = next.at;
      next.run();
      await settled();
    }
    now = end;
  }

  return {
    now: () => now,
    after(milliseconds, run) {
      checkLimit("The time of a clock", milliseconds);
      requireArgument(typeof run === "function", "after() takes a function behind the time", run);
      if (milliseconds === Infinity) return () => {};
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(milliseconds) {
      requireArgument(
        Number.isFinite(milliseconds) && milliseconds >= 0,
        "pass() takes milliseconds from 0 on",
        milliseconds,
      );
      const moved = passed.then(() => move(milliseconds));
      passed = moved.catch(() => {});
      return moved;
    },
  };
}

/** Resolves when nothing is left to do in this moment. Faked timers of a test runner do not hold it up. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof immediate === "function") {
      immediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
