import { expect, test } from "vitest";

import { FileLocks } from "./file-locks.ts";

test("run() lets tasks on one file wait for each other, also after a failure", async () => {
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
    locks.run("/a", task("1", true)),
    locks.run("/a", task("2")),
    locks.run("/b", task("other")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(log.filter((entry) => !entry.startsWith("other"))).toEqual(["1 begins", "1 ends", "2 begins", "2 ends"]);
  expect(log.indexOf("other begins")).toBeLessThan(log.indexOf("1 ends"));
});
