import { describe, expect, vi } from "vitest";

import { described, type TestWith } from "./harness.ts";
import { appendAll, claimed, numbers } from "./texts.ts";

/** Commands, wake-ups and lists. */
export function describeCommands(name: string, testWith: TestWith): void {
  describe(`${name}: commands`, () => {
    testWith("commands come in order, each key once, until they are settled", async (journal, store) => {
      await journal.create("s", described);
      const front = await store.open();
      const first = await front.send("s", "a", '{"type":"stop"}');
      const second = await front.send("s", "ключ/../b 🚀", "two\nlines");
      if (first === undefined || second === undefined) throw new Error("not sent");
      expect(second.at).toBeGreaterThan(first.at);
      expect(first.isNew && second.isNew).toBe(true);
      expect(await journal.send("s", "a", "another")).toEqual({ at: first.at, isNew: false });
      const claim = await claimed(journal, "s");
      const all = [
        { at: first.at, key: "a", command: '{"type":"stop"}' },
        { at: second.at, key: "ключ/../b 🚀", command: "two\nlines" },
      ];
      expect(await journal.commands(claim, 0)).toEqual(all);
      expect(await journal.commands(claim, first.at)).toEqual(all.slice(1));
      expect(await journal.commands(claim, second.at)).toEqual([]);
      await journal.settle(claim, [second.at]);
      await journal.settle(claim, [second.at, 12_345]);
      expect(await journal.commands(claim, 0)).toEqual(all.slice(0, 1));
      await journal.settle(claim, [first.at]);
      expect(await journal.commands(claim, 0)).toEqual([]);
      // Places are not used again, though nothing waits.
      const third = await front.send("s", "a", "again");
      expect(third).toMatchObject({ isNew: true });
      expect(third?.at).toBeGreaterThan(second.at);
    });

    testWith("of many that send at once none is lost, and each key is stored once", async (journal, store) => {
      await journal.create("s", described);
      const fronts = await Promise.all(Array.from({ length: 4 }, () => store.open()));
      const sent = await Promise.all(
        fronts.flatMap((front, index) => numbers(1, 25).map((key) => front.send("s", `${key}`, `${index}`))),
      );
      const claim = await claimed(journal, "s");
      const waiting = await journal.commands(claim, 0);
      expect(waiting.map(({ key }) => Number(key)).toSorted((a, b) => a - b)).toEqual(numbers(1, 25));
      expect(sent.filter((one) => one?.isNew)).toHaveLength(25);
      const places = new Set(waiting.map(({ at }) => at));
      for (const one of sent) expect(places).toContain(one?.at);
      expect(waiting.map(({ at }) => at)).toEqual([...places].toSorted((a, b) => a - b));
    });

    testWith("a keeper that was overtaken gets and settles none", async (journal) => {
      await journal.create("s", described);
      const old = await claimed(journal, "s", { keeper: "old" });
      await journal.release(old);
      const claim = await claimed(journal, "s", { keeper: "new" });
      const sent = await journal.send("s", "a", "1");
      expect(await journal.commands(old, 0)).toEqual([]);
      await journal.settle(old, [sent?.at ?? 0]);
      expect(await journal.commands(claim, 0)).toHaveLength(1);
    });
  });

  describe(`${name}: watching`, () => {
    testWith("watchers learn of entries and commands, of whichever journal", async (journal, store) => {
      await journal.create("s", described);
      await journal.create("other/Session", described);
      const claim = await claimed(journal, "s");
      const other = await store.open();
      const [here, there] = [new Set<string>(), new Set<string>()];
      const unwatch = journal.watch((sessions) => sessions.forEach((session) => here.add(session)));
      const unwatchOther = other.watch((sessions) => sessions.forEach((session) => there.add(session)));
      await appendAll(journal, claim, 1);
      await vi.waitFor(() => expect(here).toContain("s"), { timeout: 30_000 });
      await vi.waitFor(() => expect(there).toContain("s"), { timeout: 30_000 });
      await other.send("other/Session", "key", "{}");
      await vi.waitFor(() => expect(here).toContain("other/Session"), { timeout: 30_000 });
      await vi.waitFor(() => expect(there).toContain("other/Session"), { timeout: 30_000 });
      unwatch();
      here.clear();
      there.clear();
      await appendAll(journal, claim, 1, 2);
      await vi.waitFor(() => expect(there).toContain("s"), { timeout: 30_000 });
      expect(here).toEqual(new Set());
      unwatchOther();
    });
  });

  describe(`${name}: lists`, () => {
    testWith("further facts are changed each by itself, by several processes at once", async (journal, store) => {
      await journal.create("s", { ...described, more: { program: { command: "x" }, old: [1] } });
      const other = await store.open();
      await Promise.all(
        numbers(1, 20).map((n) => (n % 2 === 0 ? journal : other).change("s", { more: { [`fact ${n}`]: { n } } })),
      );
      await Promise.all([
        journal.change("s", { more: { old: null, "fact 1": null } }),
        other.change("s", { more: { "fact 2": null, "fact 3": "three", none: null } }),
        journal.change("s", { title: "T" }),
      ]);
      const facts = numbers(4, 20).map((n) => [`fact ${n}`, { n }] as const);
      expect(await other.describe("s")).toMatchObject({ ...described, title: "T" });
      expect((await other.describe("s"))?.more).toEqual({
        program: { command: "x" },
        "fact 3": "three",
        ...Object.fromEntries(facts),
      });
    });

    testWith("a description is kept, and changed in parts", async (journal, store) => {
      const full = { ...described, title: "A", additionalDirectories: ["/x"], more: { shares: [{ id: 1 }] } };
      await journal.create("s", full);
      const made = await journal.describe("s");
      expect(made).toMatchObject({ ...full, session: "s" });
      expect(made?.createdAt).toBeInstanceOf(Date);
      const other = await store.open();
      await Promise.all([
        journal.change("s", { title: "B" }),
        other.change("s", { state: "running" }),
        journal.change("s", { more: { n: 1 } }),
      ]);
      expect(await other.describe("s")).toMatchObject({ ...full, title: "B", state: "running", more: { n: 1 } });
      expect((await other.describe("s"))?.createdAt).toEqual(made?.createdAt);
    });

    testWith("the latest come first, in pages, and filters pick", async (journal, store) => {
      for (const n of numbers(1, 205)) {
        await journal.create(`s${n}`, {
          agent: n % 2 ? "odd" : "even",
          cwd: n < 4 ? "/few" : "/many",
          owner: `u${n % 3}`,
        });
      }
      const sessionsOf = async (filter: object): Promise<readonly string[]> => {
        const found: string[] = [];
        for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
          const page = await journal.list(filter, next);
          expect(page.sessions.length).toBeLessThanOrEqual(100);
          const times = page.sessions.map(({ updatedAt }) => updatedAt.getTime());
          expect(times).toEqual(times.toSorted((a, b) => b - a));
          found.push(...page.sessions.map(({ session }) => session));
          next = page.next;
        }
        return found;
      };
      expect(new Set(await sessionsOf({}))).toEqual(new Set(numbers(1, 205).map((n) => `s${n}`)));
      expect(await sessionsOf({})).toHaveLength(205);
      expect((await sessionsOf({ cwd: "/few" })).toSorted()).toEqual(["s1", "s2", "s3"]);
      expect((await sessionsOf({ cwd: "/few", agent: "odd", owner: "u0" })).toSorted()).toEqual(["s3"]);
      expect(await sessionsOf({ owner: "nobody" })).toEqual([]);
      await store.leaseEnds?.();
      await new Promise((resolve) => setTimeout(resolve, 5));
      const claim = await claimed(journal, "s7");
      await appendAll(journal, claim, 1);
      expect((await journal.list({})).sessions[0]).toMatchObject({ session: "s7", agent: "odd" });
      await expect(journal.list({}, "nonsense")).rejects.toThrow('No list of sessions has a page "nonsense"');
    });
  });
}
