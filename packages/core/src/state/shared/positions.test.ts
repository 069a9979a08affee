import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Positions, positionOf, withPosition } from "./positions.ts";

const treeOf = (keys: readonly string[]): Positions | undefined =>
  keys.reduce<Positions | undefined>((tree, key, position) => withPosition(tree, key, position), undefined);

describe("withPosition()", () => {
  test("keeps the last position of each key, whatever the keys", () => {
    const keys = fc.array(fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom("__proto__", "constructor", "")), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(keys, fc.string(), (all, other) => {
        const map = new Map(all.map((key, position) => [key, position]));
        const tree = treeOf(all);
        for (const key of [...all, other]) expect(positionOf(tree, key)).toBe(map.get(key));
      }),
    );
  });

  test("stays balanced whatever the order of the keys, and leaves the tree as it was", () => {
    const sorted = Array.from({ length: 20_000 }, (_, index) => String(index).padStart(6, "0"));
    const inwards = sorted.map(
      (_, index) => sorted[index % 2 === 0 ? index / 2 : sorted.length - (index + 1) / 2] ?? "",
    );
    for (const keys of [sorted, sorted.toReversed(), inwards]) {
      const tree = treeOf(keys);
      // An AVL tree is at most 1.44 times as high as the best one.
      expect(tree?.height).toBeLessThanOrEqual(1.44 * Math.log2(20_002));
      withPosition(tree, "new", 1);
      expect(positionOf(tree, "new")).toBeUndefined();
    }
  });
});
