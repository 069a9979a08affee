import { expect, test } from "vitest";

import { FileLocks } from "./file-locks.ts";

const { signal } = new AbortController();

test("run() lets tasks on one file wait for each other, even after a failure", async () => {
  const locks = new FileLocks();
  const log: string[] = [];
  const task =
    (name: string, fails = false) =>
    async (): Promise<void> => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
    };
  const results = await Promise.allSettled([
    locks.run("/a", signal, task("1", true)),
    locks.run("/a", signal, task("2")),
    locks.run("/b", signal, task("other")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(log.filter((entry) => !entry.startsWith("other"))).toEqual(["1 begins", "1 ends", "2 begins", "2 ends"]);
  expect(log.indexOf("other begins")).toBeLessThan(log.indexOf("1 ends"));
});

test("run() stops waiting when its signal aborts, and lets nobody past those before it", async () => {
  const locks = new FileLocks();
  const log: string[] = [];
  let end = (): void => {};
  const stop = new AbortController();
  const running = locks.run("/a", signal, () => new Promise<void>((resolve) => (end = resolve)));
  const givenUp = locks.run("/a", stop.signal, async () => void log.push("given up"));
  const reason = new Error("cancelled");
  stop.abort(reason);
  await expect(givenUp).rejects.toBe(reason);
  const next = locks.run("/a", signal, async () => void log.push("next"));
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(log).toEqual([]);
  end();
  await Promise.all([running, next]);
  expect(log).toEqual(["next"]);
});
