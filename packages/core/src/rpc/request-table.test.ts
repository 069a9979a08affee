import fc from "fast-check";
import { expect, test } from "vitest";
import { RequestTable } from "./request-table.ts";

test("behaves like a Map", () => {
  const id = fc.oneof(
    fc.integer({ min: -3, max: 3 }).map((end) => end + 256),
    fc.constantFrom(1, 257, 513, 1.5, "1", "257", '"a"', '"1a"', '"2a"', ""),
  );
  const step = fc.record({ id, does: fc.constantFrom("set", "set", "delete") });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const table = new RequestTable<{ readonly id: string | number }>();
      const map = new Map<string, { readonly id: string | number }>();
      for (const { id: given, does } of steps) {
        const value = { id: typeof given === "number" ? given : `s${given}` };
        if (does === "set") table.set(value);
        else table.take(value.id);
        if (does === "set") map.set(String(value.id), value);
        else map.delete(String(value.id));
        expect(table.get(value.id)).toBe(map.get(String(value.id)));
        expect(table.size).toBe(map.size);
        expect(new Set(table.values())).toEqual(new Set(map.values()));
        for (const held of map.values()) expect(table.some((one) => one === held)).toBe(true);
        expect(table.some(() => false)).toBe(false);
      }
    }),
  );
});

test("values() finds the requests of a session and of an owner, and looks at no others", () => {
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
      const table = new RequestTable<(typeof steps)[number]["value"]>();
      const map = new Map<number, (typeof steps)[number]["value"]>();
      for (const { value: made, does } of steps) {
        if (does === "set") table.set(made);
        else table.take(made.id);
        if (does === "set") map.set(made.id, made);
        else map.delete(made.id);
      }
      for (const key of ["s", "", ...owners]) {
        looked = 0;
        const belongs = ({ sessionId = "", owner }: (typeof steps)[number]["value"]): boolean => {
          looked++;
          return sessionId === key || owner === key;
        };
        const found = table.values(belongs, [key]);
        expect(looked).toBe(found.length);
        const expected = [...map.values()].filter(belongs).toSorted((one, other) => one.id - other.id);
        expect(found).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});

test("values() has a request that belongs to several of the keys once", () => {
  const owner = {};
  const table = new RequestTable<{ readonly id: number; readonly sessionId?: string; readonly owner?: object }>();
  for (let id = 0; id < 4; id++) table.set({ id, owner, ...(id % 2 === 0 && { sessionId: "s" }) });
  const idsOf = (keys: readonly unknown[]): readonly number[] => table.values(undefined, keys).map(({ id }) => id);
  expect(idsOf(["", ""])).toEqual([1, 3]);
  expect(idsOf(["s", owner, ""])).toEqual([0, 1, 2, 3]);
});

test("values() sorts only the entries that fit", () => {
  let looks = 0;
  const table = new RequestTable<{ readonly id: string }>();
  const numbers = Array.from({ length: 1000 }, (_, index) => String(1000 - index));
  const value = (id: string): { readonly id: string } => ({
    get id() {
      looks++;
      return id;
    },
  });
  for (const number of numbers) table.set(value(number));
  looks = 0;
  expect(table.values(() => false)).toEqual([]);
  expect(looks).toBe(0);
  expect(table.values(({ id }) => id === "7" || id === "700").map(({ id }) => id)).toEqual(["7", "700"]);
});
