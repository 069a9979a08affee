import { describe, expect } from "vitest";

import { described, type TestWith } from "./harness.ts";
import { appendAll, claimed, entryText, numbersOf, pageOf, textsOf } from "./texts.ts";

/** Entries that are written and read. */
export function describeEntries(name: string, testWith: TestWith): void {
  describe(`${name}: entries`, () => {
    testWith("entries are read in order, in pages", async (journal) => {
      await journal.create("s", described);
      expect(await journal.read("s", "start", 10)).toEqual({ entries: [], cursor: undefined, more: false });
      const claim = await claimed(journal, "s");
      const texts = textsOf(claim, 1, 10);
      expect(await journal.append([{ claim, from: 1, entries: texts }])).toEqual(["done"]);
      expect(await journal.read("s", "start", 1_000_000)).toEqual({
        entries: texts,
        cursor: { epoch: 1, n: 10 },
        more: false,
      });
      // One at least, and not one more than the limit has room for.
      const size = texts[0]?.length ?? 0;
      expect(await journal.read("s", "start", 1)).toEqual({
        entries: texts.slice(0, 1),
        cursor: { epoch: 1, n: 1 },
        more: true,
      });
      expect((await pageOf(journal, "s", { epoch: 1, n: 1 }, 2 * size)).entries).toEqual(texts.slice(1, 3));
      expect((await pageOf(journal, "s", { epoch: 1, n: 1 }, 3 * size - 1)).entries).toEqual(texts.slice(1, 3));
      expect(await numbersOf(journal, "s", 200)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const end = { epoch: 1, n: 10 };
      expect(await journal.read("s", end, 10)).toEqual({ entries: [], cursor: end, more: false });
    });

    testWith("any text comes back as it was", async (journal, store) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      const odd = [
        "",
        "äöü 🚀 \u2028 \u0000 \r\n \t ' \\ \" $1 \\u0041",
        "\uD800",
        "x".repeat(300_000),
        "é".repeat(99_999),
      ];
      const entries = odd.map((text, index) => entryText(1 + index, 1, text));
      expect(await journal.append([{ claim, from: 1, entries }])).toEqual(["done"]);
      const other = await store.open();
      expect((await pageOf(other, "s", "start", 1_000_000)).entries).toEqual(entries);
      expect(await numbersOf(other, "s", 10)).toEqual([1, 2, 3, 4, 5]);
    });

    testWith("a write that is repeated changes nothing, and may go on", async (journal) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      const first = { claim, from: 1, entries: textsOf(claim, 1, 3) };
      expect(await journal.append([first])).toEqual(["done"]);
      expect(await journal.append([first])).toEqual(["done"]);
      expect(await journal.append([{ claim, from: 2, entries: textsOf(claim, 2, 4) }])).toEqual(["done"]);
      expect(await journal.append([first, { claim, from: 6, entries: textsOf(claim, 6, 1) }])).toEqual([
        "done",
        "done",
      ]);
      expect(await numbersOf(journal, "s")).toEqual([1, 2, 3, 4, 5, 6]);
    });

    testWith("writes of many sessions go in one call, and one that is fenced hinders no other", async (journal) => {
      for (const session of ["a", "b", "c"]) await journal.create(session, described);
      const [a, b, c] = [await claimed(journal, "a"), await claimed(journal, "b"), await claimed(journal, "c")];
      await journal.release(b);
      const writes = [a, b, c].map((claim) => ({ claim, from: 1, entries: textsOf(claim, 1, 2) }));
      expect(await journal.append(writes)).toEqual(["done", "fenced", "done"]);
      expect(await numbersOf(journal, "a")).toEqual([1, 2]);
      expect(await numbersOf(journal, "b")).toEqual([]);
      expect(await journal.append([])).toEqual([]);
    });

    testWith("a write behind entries that are not there is refused", async (journal) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      await appendAll(journal, claim, 2);
      expect(await journal.append([{ claim, from: 4, entries: textsOf(claim, 4, 1) }])).toEqual(["fenced"]);
      expect(await numbersOf(journal, "s")).toEqual([1, 2]);
    });

    testWith("a write that is a mistake is refused as a whole", async (journal) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      const broken = [
        [textsOf(claim, 2, 1), "Entry 1-1 says that it is 1-2"],
        [[entryText(1, 2)], "Entry 1-1 says that it is 2-1"],
        [[entryText(1, 1), '{"n":2,\n"epoch":1}'], "An entry is one line of text"],
        [["{}"], "An entry begins with its number and epoch"],
      ] as const;
      for (const [entries, reason] of broken) {
        await expect(journal.append([{ claim, from: 1, entries }])).rejects.toThrow(reason);
      }
      await expect(journal.append([{ claim, from: 0, entries: [] }])).rejects.toThrow("cannot write entry 0");
      expect(await numbersOf(journal, "s")).toEqual([]);
    });

    testWith("a cursor of a place that there is not is gone", async (journal) => {
      await journal.create("s", described);
      const first = await claimed(journal, "s", { keeper: "one" });
      await appendAll(journal, first, 3);
      await journal.release(first);
      const second = await claimed(journal, "s", { keeper: "two" });
      await appendAll(journal, second, 2);
      for (const cursor of [
        { epoch: 1, n: 4 },
        { epoch: 2, n: 3 },
        { epoch: 2, n: 6 },
        { epoch: 3, n: 6 },
        { epoch: 0, n: 1 },
        { epoch: 1, n: 0 },
        { epoch: 1, n: 999_999_999_999 },
      ]) {
        expect(await journal.read("s", cursor, 1000), JSON.stringify(cursor)).toBe("gone");
      }
      expect(await pageOf(journal, "s", { epoch: 1, n: 3 }, 1000)).toMatchObject({ cursor: { epoch: 2, n: 5 } });
    });

    testWith("readers and writers at once see whole writes in one order", async (journal, store) => {
      await journal.create("s", described);
      const claim = await claimed(journal, "s");
      const reader = await store.open();
      let isDone = false;
      const reading = (async () => {
        const seen: string[] = [];
        for (let page = await pageOf(reader, "s", "start", 400); ;) {
          seen.push(...page.entries);
          const wasDone = isDone;
          const after = page.cursor ?? "start";
          page = await pageOf(reader, "s", after, 400);
          if (wasDone && page.entries.length === 0) return seen;
        }
      })();
      for (let from = 1; from <= 300; from += 3) {
        await journal.append([{ claim, from, entries: textsOf(claim, from, 3) }]);
      }
      isDone = true;
      expect(await reading).toEqual(textsOf(claim, 1, 300));
    });
  });
}
