import type { Clock } from "./clock.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /**
   * Lets time pass, timer by timer. After each, it waits until everything that follows from it without a timer or another
   * process has happened.
   */
  pass(milliseconds: number): Promise<void>;
}

/** Creates a clock that stands still until a test moves it. It starts at 0. */
export function testClock(): TestClock {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async pass(milliseconds) {
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
    },
  };
}

/** Resolves when nothing is left to do in this moment. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
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
