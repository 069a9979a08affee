import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";

import { withSignals } from "./unless-aborted.ts";

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;
const whenAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));

describe("withSignals()", () => {
  test("has one listener for any number of runs, and none when they are over", async () => {
    const session = new AbortController();
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const runs = Array.from({ length: 100 }, () =>
      withSignals([undefined, new AbortController().signal, session.signal], () => finished),
    );
    expect(listenersOf(session.signal)).toBe(1);
    finish();
    await Promise.all(runs);
    expect(listenersOf(session.signal)).toBe(0);
  });

  test("aborts every run with the reason of the one that aborts, and others on their own", async () => {
    const [one, session] = [new AbortController(), new AbortController()];
    const first = withSignals([one.signal, session.signal], whenAborted);
    const others = [1, 2].map(() => withSignals([undefined, session.signal], whenAborted));
    one.abort("one");
    expect(await first).toBe("one");
    session.abort("session");
    expect(await Promise.all(others)).toEqual(["session", "session"]);
    expect(await withSignals([session.signal], async ({ reason }) => reason)).toBe("session");
  });
});
