import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Positions } from "./positions.ts";

const keys = fc.array(fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom("__proto__", "constructor", "")), {
  maxLength: 200,
});

describe("Positions", () => {
  test("returns the position of every key", () => {
    fc.assert(
      fc.property(keys, fc.string(), (all, other) => {
        const map = new Map([...all.entries()].toReversed().map(([position, key]) => [key, position]));
        let positions = Positions.empty;
        for (const [position, key] of all.entries()) positions = positions.add(key, position);
        for (const key of [...all, other]) expect(positions.get(key)).toBe(map.get(key));
      }),
    );
  });

  test("stays unchanged when copies of it grow", () => {
    const steps = fc.array(fc.tuple(fc.nat(), fc.constantFrom("a", "b", "c", "d", "e"), fc.nat(9)), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (all) => {
        const grown: (readonly [Positions, ReadonlyMap<string, number>])[] = [[Positions.empty, new Map()]];
        for (const [from, key, position] of all) {
          const [positions, map] = grown[from % grown.length] ?? expect.fail();
          grown.push([positions.add(key, position), new Map([[key, position], ...map])]);
        }
        for (const [positions, map] of grown) {
          for (const key of "abcde") expect(positions.get(key)).toBe(map.get(key));
        }
      }),
    );
  });
});
