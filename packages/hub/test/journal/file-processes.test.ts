// The journal in files with real processes, which are killed, frozen and overtaken.
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { expect, test } from "vitest";

import { createFolder, described, openFiles } from "../support/journal-folder.ts";
import { startWriter } from "../support/start-writer.ts";
import { appendAll, claimed, numbers, numbersOf, textsOf } from "./texts.ts";

test("a process that is killed loses nothing that it has stored, and whole writes only are there", async () => {
  const folder = createFolder();
  const journal = openFiles(folder);
  await journal.create("s", described);
  let stored = 0;
  for (const round of numbers(1, 4)) {
    const writer = await startWriter(folder, "s", `k${round}`, 3);
    expect(await writer.claim()).toMatchObject({ keeper: `k${round}`, epoch: round });
    expect(await journal.claim("s", "other", 1000)).toEqual({ heldBy: `k${round}` });
    for (const _ of numbers(1, 5 * round)) await writer.next();
    const told = await writer.kill();
    const found = await numbersOf(journal, "s");
    expect(found).toEqual(numbers(1, found.length));
    // One write may have been on its way.
    expect([told, told + 3]).toContain(found.length);
    expect(found.length).toBeGreaterThan(stored);
    stored = found.length;
  }
  // Nobody lives that has it.
  expect(await claimed(journal, "s", { keeper: "last" })).toMatchObject({ epoch: 5, next: stored + 1 });
});

test("of many processes that claim a session at once, one gets it", async () => {
  const folder = createFolder();
  const journal = openFiles(folder);
  await journal.create("s", described);
  // The lock of one that has died, which all of them have to remove first.
  const dead = await startWriter(folder, "s", "dead");
  await dead.claim();
  await dead.kill();
  const writers = await Promise.all(numbers(1, 5).map((n) => startWriter(folder, "s", `k${n}`)));
  const claims = await Promise.all(writers.map((writer) => writer.claim()));
  const winners = claims.filter((claim) => !("heldBy" in claim));
  expect(winners).toHaveLength(1);
  expect(winners[0]).toMatchObject({ epoch: 2 });
  await Promise.all(writers.map((writer) => writer.kill()));
  const found = await numbersOf(journal, "s");
  expect(found).toEqual(numbers(1, found.length));
});

test.skipIf(process.platform === "win32")(
  "a frozen process keeps its session; overtaken by force, it cannot write once it wakes (Windows cannot freeze one)",
  async () => {
    const folder = createFolder();
    const journal = openFiles(folder);
    await journal.create("s", described);
    const zombie = await startWriter(folder, "s", "zombie", 2);
    await zombie.claim();
    await zombie.next();
    zombie.signal("SIGSTOP");
    expect(await journal.claim("s", "next", 1)).toEqual({ heldBy: "zombie" });
    rmSync(join(folder, "sessions", "s", "lock"));
    const claim = await claimed(journal, "s", { keeper: "next" });
    expect(claim).toMatchObject({ epoch: 2 });
    await appendAll(journal, claim, 3);
    const before = await numbersOf(journal, "s");
    expect(before).toEqual(numbers(1, claim.next + 2));
    zombie.signal("SIGCONT");
    let line = await zombie.next();
    while (line !== "fenced") line = await zombie.next();
    await zombie.ended;
    expect(await numbersOf(journal, "s")).toEqual(before);
    // The zombie has not released what was no longer its own.
    const other = openFiles(folder);
    expect(await other.claim("s", "third", 1)).toEqual({ heldBy: "next" });
    expect(await journal.renew([claim], 1000)).toEqual([]);
  },
);

test("what an overtaken process writes in the very moment is shown to nobody", async () => {
  const folder = createFolder();
  const [old, journal] = [openFiles(folder), openFiles(folder)];
  await journal.create("s", described);
  const first = await claimed(old, "s", { keeper: "old" });
  await appendAll(old, first, 2);
  rmSync(join(folder, "sessions", "s", "lock"));
  const second = await claimed(journal, "s", { keeper: "new" });
  expect(second.next).toBe(3);
  // It had looked before it was overtaken, and writes now.
  const path = join(folder, "sessions", "s", "1-1.jsonl");
  expect(readdirSync(join(folder, "sessions", "s"))).toContain("1-1.jsonl");
  appendFileSync(
    path,
    textsOf(first, 3, 2)
      .map((text) => `${text}\n`)
      .join(""),
  );
  for (const one of [old, journal, openFiles(folder)]) expect(await numbersOf(one, "s")).toEqual([1, 2]);
  await appendAll(journal, second, 1);
  for (const one of [old, journal, openFiles(folder)]) expect(await numbersOf(one, "s")).toEqual([1, 2, 3]);
  expect(await journal.read("s", { epoch: 1, n: 3 }, 1000)).toBe("gone");
  expect(await journal.read("s", { epoch: 1, n: 4 }, 1000)).toBe("gone");
});
