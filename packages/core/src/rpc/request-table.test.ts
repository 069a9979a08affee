import fc from "fast-check";
import { expect, test } from "vitest";
import { RequestTable } from "./request-table.ts";

test("keeps what a Map keeps, also where ids share a place", () => {
  // Ids that end alike share one.
  const id = fc.oneof(
    fc.integer({ min: -3, max: 3 }).map((end) => end + 256),
    fc.constantFrom(1, 257, 513, 1.5, "1", "257", '"a"', '"1a"', '"2a"', ""),
  );
  const step = fc.record({ id, does: fc.constantFrom("set", "set", "delete") });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const byId = new RequestTable<{ readonly id: string | number }>();
      const map = new Map<string, { readonly id: string | number }>();
      for (const { id: given, does } of steps) {
        const value = { id: typeof given === "number" ? given : `s${given}` };
        if (does === "set") byId.set(value);
        else byId.take(value.id);
        if (does === "set") map.set(String(value.id), value);
        else map.delete(String(value.id));
        expect(byId.get(value.id)).toBe(map.get(String(value.id)));
        expect(byId.size).toBe(map.size);
        expect(new Set(byId.values())).toEqual(new Set(map.values()));
        for (const held of map.values()) expect(byId.some((one) => one === held)).toBe(true);
        expect(byId.some(() => false)).toBe(false);
      }
    }),
  );
});

test("values() finds those of a session and of an owner, and looks at few others", () => {
  const owners = [{}, {}, {}];
  let looked = 0;
  const value = fc.record({
    id: fc.integer({ min: 1, max: 2000 }),
    sessionId: fc.constantFrom<string | undefined>("s", "t", "u", undefined),
    owner: fc.constantFrom(...owners, undefined),
  });
  const step = fc.record({ value, does: fc.constantFrom("set", "set", "take") });
  fc.assert(
    fc.property(fc.array(step, { minLength: 300, maxLength: 600 }), (steps) => {
      const byId = new RequestTable<(typeof steps)[number]["value"]>();
      const map = new Map<number, (typeof steps)[number]["value"]>();
      for (const { value: made, does } of steps) {
        if (does === "set") byId.set(made);
        else byId.take(made.id);
        if (does === "set") map.set(made.id, made);
        else map.delete(made.id);
      }
      for (const key of ["s", "", ...owners]) {
        looked = 0;
        const belongs = ({ sessionId = "", owner }: (typeof steps)[number]["value"]): boolean => {
          looked++;
          return sessionId === key || owner === key;
        };
        const found = byId.values(belongs, [key]);
        expect(looked).toBeLessThanOrEqual(256 + found.length);
        const expected = [...map.values()].filter(belongs).toSorted((one, other) => one.id - other.id);
        expect(found).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});

test("values() has what belongs to several of the keys once", () => {
  const owner = {};
  const byId = new RequestTable<{ readonly id: number; readonly sessionId?: string; readonly owner?: object }>();
  // All but the first have the place of another.
  for (let n = 0; n < 4; n++) byId.set({ id: n * 256, owner, ...(n % 2 === 0 && { sessionId: "s" }) });
  const idsOf = (keys: readonly unknown[]): readonly number[] => byId.values(undefined, keys).map(({ id }) => id);
  expect(idsOf(["", ""])).toEqual([0, 256, 768]);
  expect(idsOf(["s", owner, ""])).toEqual([0, 256, 512, 768]);
});

test("values() sorts no more than what fits", () => {
  let looks = 0;
  const byId = new RequestTable<{ readonly id: string }>();
  const numbers = Array.from({ length: 1000 }, (_, index) => String(1000 - index));
  const value = (id: string): { readonly id: string } => ({
    get id() {
      looks++;
      return id;
    },
  });
  for (const number of numbers) byId.set(value(number));
  looks = 0;
  expect(byId.values(() => false)).toEqual([]);
  expect(looks).toBe(0);
  expect(byId.values(({ id }) => id === "7" || id === "700").map(({ id }) => id)).toEqual(["7", "700"]);
});
