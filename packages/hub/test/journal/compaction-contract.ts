import { describe, expect } from "vitest";

import { compactTexts } from "../../src/journal/compact.ts";
import { encodeEntry } from "../../src/journal/entry.ts";
import { removeOldest } from "../../src/journal/remove-oldest.ts";
import { described, type TestWith } from "./harness.ts";
import { appendAll, claimed, entryText, numbers, numbersOf, pageOf, textsOf } from "./texts.ts";

const promptText = (n: number, epoch: number): string =>
  encodeEntry({ n, epoch, at: 0, t: "message", key: `prompt ${n}`, v: 1, prompt: [] });

/** Old entries that are replaced. */
export function describeCompaction(name: string, testWith: TestWith): void {
  describe(`${name}: compaction`, () => {
    const compacted = (...kept: readonly number[]): readonly string[] =>
      kept.map((n) => entryText(n, 0, `stands for entries up to ${n}`));

    testWith("readers behind it go on, those in between start again", async (journal, store) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      await journal.append([{ claim, from: 1, entries: textsOf(claim, 1, 10) }]);
      const reader = await store.open();
      expect(await numbersOf(reader, "s")).toHaveLength(10);
      expect(await journal.compact(claim, 8, compacted(2, 4, 7))).toBe("done");
      expect(await numbersOf(reader, "s")).toEqual([2, 4, 7, 9, 10]);
      // Also in pages of one entry.
      expect(await numbersOf(reader, "s", 1)).toEqual([2, 4, 7, 9, 10]);
      for (const n of [1, 2, 4, 7]) expect(await reader.read("s", { epoch: 1, n }, 1000), `${n}`).toBe("gone");
      for (const n of [8, 9]) expect((await pageOf(reader, "s", { epoch: 1, n }, 1000)).entries).toHaveLength(10 - n);
      expect((await pageOf(reader, "s", { epoch: 0, n: 7 }, 1000)).entries).toEqual(textsOf(claim, 9, 2));
      expect(await reader.read("s", { epoch: 0, n: 8 }, 1000)).toBe("gone");
      // Writing goes on, here and by the next keeper.
      await appendAll(journal, claim, 1, 11);
      await journal.release(claim);
      const next = await claimed(reader, "s", { keeper: "next" });
      expect(next).toMatchObject({ epoch: 2, next: 12 });
      await appendAll(reader, next, 1);
      expect(await numbersOf(journal, "s")).toEqual([2, 4, 7, 9, 10, 11, 12]);
    });

    testWith("it can be repeated, and go further later", async (journal) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      await journal.append([{ claim, from: 1, entries: textsOf(claim, 1, 10) }]);
      await journal.compact(claim, 4, compacted(3));
      await journal.compact(claim, 4, compacted(3));
      expect(await numbersOf(journal, "s")).toEqual([3, 5, 6, 7, 8, 9, 10]);
      await journal.compact(claim, 9, compacted(3, 6));
      expect(await numbersOf(journal, "s")).toEqual([3, 6, 10]);
      // A reader of the first one goes on.
      expect((await pageOf(journal, "s", { epoch: 0, n: 3 }, 1000)).entries).toHaveLength(2);
      expect(await journal.read("s", { epoch: 1, n: 4 }, 1000)).toBe("gone");
      // A part of what was compacted is given up.
      await journal.compact(claim, 4, []);
      expect(await numbersOf(journal, "s")).toEqual([6, 10]);
      expect((await pageOf(journal, "s", { epoch: 1, n: 9 }, 1000)).entries).toHaveLength(1);
      expect(await journal.append([{ claim, from: 10, entries: textsOf(claim, 10, 2) }])).toEqual(["done"]);
      expect(await numbersOf(journal, "s")).toEqual([6, 10, 11]);
    });

    testWith("the oldest turns can be removed, and their places are gone", async (journal, store) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      const entries = numbers(1, 12).map((n) => promptText(n, claim.epoch));
      await journal.append([{ claim, from: 1, entries }]);
      const first = compactTexts(entries.slice(0, 8));
      await journal.compact(claim, 8, first);
      const all = compactTexts([...first, ...entries.slice(8, 11)]);
      await journal.compact(claim, 11, removeOldest(all, (all.at(-1)?.length ?? 0) * 4));
      const reader = await store.open();
      expect(await numbersOf(reader, "s")).toEqual([7, 8, 9, 10, 11, 12]);
      const [notice = ""] = (await pageOf(reader, "s", "start", 1)).entries;
      expect(JSON.parse(notice)).toMatchObject({ removed: numbers(1, 7).map((n) => `prompt ${n}`) });
      for (const epoch of [0, 1]) expect(await reader.read("s", { epoch, n: 3 }, 1000)).toBe("gone");
      expect((await pageOf(reader, "s", { epoch: 0, n: 8 }, 10_000)).entries).toHaveLength(4);
      expect((await pageOf(reader, "s", { epoch: 1, n: 11 }, 10_000)).entries).toHaveLength(1);
    });

    testWith("everything can be compacted, also to nothing", async (journal, store) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      await journal.append([{ claim, from: 1, entries: textsOf(claim, 1, 5) }]);
      await journal.compact(claim, 5, []);
      const end = { epoch: 1, n: 5 };
      expect(await journal.read("s", "start", 1000)).toEqual({ entries: [], cursor: end, more: false });
      expect(await journal.read("s", end, 1000)).toEqual({ entries: [], cursor: end, more: false });
      await journal.release(claim);
      const other = await store.open();
      expect(await claimed(other, "s", { keeper: "next" })).toMatchObject({ next: 6 });
    });

    testWith("what is no compaction is refused", async (journal) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      await appendAll(journal, claim, 3);
      await expect(journal.compact(claim, 2, compacted(2, 1))).rejects.toThrow("rising numbers up to 2, not 1 after 2");
      await expect(journal.compact(claim, 2, compacted(3))).rejects.toThrow("rising numbers up to 2, not 3 after 0");
      await expect(journal.compact(claim, 4, compacted(3))).rejects.toThrow("There is no entry 4 to compact up to");
      expect(await journal.compact({ ...claim, epoch: 7 }, 2, compacted(1))).toBe("fenced");
      expect(await numbersOf(journal, "s")).toEqual([1, 2, 3]);
    });

    testWith("readers at the same time get one history or the other", async (journal, store) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      const reader = await store.open();
      await journal.append([{ claim, from: 1, entries: textsOf(claim, 1, 400) }]);
      const progress = { isDone: false };
      const seen = new Set<string>();
      const reading = (async () => {
        let isWhole = false;
        while (!progress.isDone || !isWhole) {
          const kinds: number[] = [];
          let page = await reader.read("s", "start", 700);
          for (; page !== undefined && page !== "gone"; page = await reader.read("s", page.cursor ?? "start", 700)) {
            kinds.push(...page.entries.map((text) => (JSON.parse(text) as { n: number }).n));
            if (!page.more) break;
          }
          isWhole = page !== "gone";
          if (isWhole) seen.add(kinds.join());
        }
      })();
      const allowed = new Set([numbers(1, 400).join()]);
      for (let upTo = 40; upTo <= 400; upTo += 40) {
        const kept = numbers(1, upTo).filter((n) => n % 20 === 0);
        await journal.compact(claim, upTo, compacted(...kept));
        allowed.add([...kept, ...numbers(upTo + 1, 400)].join());
      }
      progress.isDone = true;
      await reading;
      expect(seen.size).toBeGreaterThan(0);
      for (const one of seen) expect(allowed).toContain(one);
    });
  });
}
