import { expect, test } from "vitest";

import type { Journal } from "../../src/journal/journal.ts";
import { described } from "./harness.ts";
import { appendAll, claimed, entryText, numbers, numbersOf, textsOf } from "./texts.ts";

/** An engine of a test. */
export interface TestedEngine {
  /** Two journals on the same new store, until the test ends. */
  openTwo(): readonly [Journal, Journal];
  /** Kills the server and starts it again. */
  restart(): Promise<void>;
}

/** What every journal in an engine does, besides what all journals do. */
export function testEngine(engine: TestedEngine): void {
  test("killed and started again, it has all that was stored; writers repeat and watchers go on", async () => {
    const [journal, reader] = engine.openTwo();
    await journal.create("s", described);
    const claim = await claimed(journal, "s", { lease: 600_000 });
    let wakes = 0;
    reader.watch(() => {
      wakes += 1;
    });
    let stored = 0;
    const progress = { isOver: false };
    const writing = (async () => {
      for (let from = 1; !progress.isOver;) {
        try {
          expect(await journal.append([{ claim, from, entries: textsOf(claim, from, 2) }])).toEqual(["done"]);
          from += 2;
          stored = from - 1;
        } catch (error) {
          if (error instanceof Error && error.name === "AssertionError") throw error;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    })();
    const until = async (isTrue: () => boolean): Promise<void> => {
      while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    for (const _ of [1, 2]) {
      const before = stored;
      await until(() => stored > before + 20);
      await engine.restart();
      const then = stored;
      await until(() => stored > then + 20);
      const seen = wakes;
      await until(() => wakes > seen);
    }
    progress.isOver = true;
    await writing;
    const found = await numbersOf(reader, "s");
    expect(found).toEqual(numbers(1, found.length));
    expect(found.length).toBeGreaterThanOrEqual(stored);
  });

  test("a keeper whose lease has ended while it was away is fenced in the middle of a batch with others", async () => {
    const [zombie, journal] = engine.openTwo();
    for (const session of ["a", "b"]) await journal.create(session, described);
    const a = await claimed(zombie, "a", { keeper: "zombie", lease: 1 });
    const b = await claimed(zombie, "b", { keeper: "zombie", lease: 600_000 });
    await appendAll(zombie, a, 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const taken = await claimed(journal, "a", { keeper: "new", lease: 600_000 });
    const writes = await Promise.all([
      zombie.append([{ claim: a, from: 2, entries: [entryText(2, 1)] }]),
      zombie.append([{ claim: b, from: 1, entries: [entryText(1, 1)] }]),
    ]);
    expect(writes).toEqual([["fenced"], ["done"]]);
    await appendAll(journal, taken, 1);
    expect(await numbersOf(journal, "a")).toEqual([1, 2]);
    expect(await zombie.read("a", { epoch: 1, n: 2 }, 100)).toBe("gone");
  });
}
