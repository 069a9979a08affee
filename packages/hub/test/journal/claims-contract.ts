import { describe, expect } from "vitest";

import { described, type TestWith } from "./harness.ts";
import { appendAll, claimed, numbersOf, textsOf } from "./texts.ts";

/** Claims, and the end of a session. */
export function describeClaims(name: string, testWith: TestWith): void {
  describe(`${name}: claims`, () => {
    testWith("a session that there is not is not claimed, read, described or sent to", async (journal) => {
      expect(await journal.claim("none", "k", 500)).toBeUndefined();
      expect(await journal.read("none", "start", 100)).toBeUndefined();
      expect(await journal.describe("none")).toBeUndefined();
      expect(await journal.send("none", "key", "{}")).toBeUndefined();
      await journal.change("none", { title: "x" });
      await journal.remove("none");
      expect(await journal.describe("none")).toBeUndefined();
    });

    testWith("an id is used once", async (journal, store) => {
      await journal.create("s", described);
      const other = await store.open();
      await expect(journal.create("s", described)).rejects.toThrow("There is a session s already");
      await expect(other.create("s", described)).rejects.toThrow("There is a session s already");
    });

    testWith("of ten keepers that make a session at once one does", async (journal, store) => {
      const journals = await Promise.all(Array.from({ length: 5 }, () => store.open()));
      const made = await Promise.allSettled(
        [...journals, ...journals].map((one, index) => one.create("s", { ...described, title: `${index}` })),
      );
      const winner = made.findIndex(({ status }) => status === "fulfilled");
      expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await journal.describe("s")).toMatchObject({ title: `${winner}` });
    });

    testWith("of ten keepers that claim at once one gets the session", async (journal, store) => {
      await journal.create("s", described);
      const journals = await Promise.all(Array.from({ length: 10 }, () => store.open()));
      const claims = await Promise.all(journals.map((one, index) => one.claim("s", `k${index}`, 60_000)));
      const winners = claims.filter((claim) => claim !== undefined && !("heldBy" in claim));
      expect(winners).toMatchObject([{ session: "s", epoch: 1, next: 1 }]);
      const keeper = winners.map((claim) => (claim !== undefined && "keeper" in claim ? claim.keeper : ""))[0];
      for (const claim of claims)
        if (!winners.some((winner) => winner === claim)) expect(claim).toEqual({ heldBy: keeper });
    });

    testWith("the same keeper claims again if it got no answer, and has one right only", async (journal) => {
      await journal.create("s", described);
      const first = await claimed(journal, "s");
      const second = await claimed(journal, "s");
      expect(second.epoch).toBe(first.epoch + 1);
      expect(await journal.append([{ claim: first, from: 1, entries: textsOf(first, 1, 1) }])).toEqual(["fenced"]);
      expect(await journal.append([{ claim: second, from: 1, entries: textsOf(second, 1, 1) }])).toEqual(["done"]);
    });

    testWith("a session that was released is claimed at once, behind what was written", async (journal, store) => {
      await journal.create("s", described);
      const first = await claimed(journal, "s", { keeper: "one" });
      await appendAll(journal, first, 3);
      await journal.release(first);
      expect(await journal.append([{ claim: first, from: 4, entries: textsOf(first, 4, 1) }])).toEqual(["fenced"]);
      const other = await store.open();
      const second = await claimed(other, "s", { keeper: "two" });
      expect(second).toEqual({ session: "s", keeper: "two", epoch: 2, next: 4 });
      // What had been lost already is not released for others.
      await journal.release(first);
      expect(await journal.claim("s", "three", 500)).toEqual({ heldBy: "two" });
      expect(await journal.renew([first], 500)).toEqual([first]);
      expect(await other.renew([second], 500)).toEqual([]);
    });

    testWith("a lease that has ended is overtaken; until then it can be extended", async (journal, store) => {
      const { leaseEnds } = store;
      if (leaseEnds === undefined) return;
      await journal.create("s", described);
      const first = await claimed(journal, "s", { keeper: "one", lease: 500 });
      expect(await journal.claim("s", "two", 500)).toEqual({ heldBy: "one" });
      await leaseEnds();
      // Nobody wanted it meanwhile.
      expect(await journal.renew([first], 60_000)).toEqual([]);
      expect(await journal.claim("s", "two", 500)).toEqual({ heldBy: "one" });
      expect(await journal.renew([first], 1)).toEqual([]);
      await leaseEnds();
      const second = await claimed(journal, "s", { keeper: "two" });
      expect(second.epoch).toBe(2);
      expect(await journal.renew([first, second], 60_000)).toEqual([first]);
      expect(await journal.append([{ claim: first, from: 1, entries: textsOf(first, 1, 1) }])).toEqual(["fenced"]);
    });
  });

  describe(`${name}: removal`, () => {
    testWith("nothing is left, the keeper is fenced, and the id is free", async (journal, store) => {
      for (const session of ["s", "S", "../s", "s/../../t", "con", "ü".repeat(200)]) {
        await journal.create(session, described);
        const claim = await claimed(journal, session);
        await appendAll(journal, claim, 1);
        await journal.send(session, "key", "secret");
        const other = await store.open();
        await other.remove(session);
        await other.remove(session);
        expect(await journal.describe(session)).toBeUndefined();
        expect(await journal.read(session, "start", 100)).toBeUndefined();
        expect(await journal.append([{ claim, from: 2, entries: textsOf(claim, 2, 1) }])).toEqual(["fenced"]);
        expect(await journal.renew([claim], 500)).toEqual([claim]);
        await other.create(session, described);
        const again = await claimed(other, session, { keeper: "another" });
        expect(again).toMatchObject({ next: 1 });
        expect(await other.commands(again, 0)).toEqual([]);
        expect(await journal.append([{ claim, from: 2, entries: textsOf(claim, 2, 1) }])).toEqual(["fenced"]);
        expect(await numbersOf(other, session)).toEqual([]);
      }
      expect((await journal.list({})).sessions).toHaveLength(6);
    });
  });
}
