import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { List } from "./list.ts";

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe("List", () => {
  // Around each size at which the tree gets another node or level.
  test.each([0, 1, 31, 32, 33, 1023, 1024, 1025, 32_767, 32_769])("of %i items keeps them in order", (length) => {
    const list = List.of(numbers(length));
    expect(list.length).toBe(length);
    expect([...list]).toEqual(numbers(length));
    expect(list.slice(Math.max(0, length - 40))).toEqual(numbers(length).slice(Math.max(0, length - 40)));
    expect(list.at(-1)).toBe(numbers(length).at(-1));
    expect([list.at(length), list.at(-length - 1), list.slice(length)]).toEqual([undefined, undefined, []]);
  });

  test("at() and slice() accept any index, like arrays", () => {
    const index = fc.oneof(fc.integer({ min: -90, max: 90 }), fc.double(), fc.constant(undefined));
    fc.assert(
      fc.property(fc.nat(80), index, index, (length, start, end) => {
        const [list, array] = [List.of(numbers(length)), numbers(length)];
        expect(list.slice(start, end)).toEqual(array.slice(start, end));
        expect(list.at(start ?? 0)).toBe(array.at(start ?? 0));
      }),
      {
        examples: [
          [40, -3, undefined],
          [40, -3, -1],
          [40, -41, 2],
          [40, Number.NEGATIVE_INFINITY, Number.NaN],
        ],
      },
    );
  });

  test("behaves like an array, and stays unchanged when copies of it grow", () => {
    const steps = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 300 });
    fc.assert(
      fc.property(fc.nat(1100), steps, (start, changes) => {
        let list = List.of(numbers(start));
        let array = numbers(start);
        const before: [List<number>, number[]][] = [];
        for (const [value, at, replaces] of changes) {
          before.push([list, array]);
          const index = replaces && array.length > 0 ? at % array.length : array.length;
          list = index < list.length ? list.replace(index, value) : list.append(value);
          array = Object.assign([...array], { [index]: value });
        }
        for (const [one, items] of [...before.slice(-20), [list, array] as const]) expect(one.slice()).toEqual(items);
      }),
      { numRuns: 30 },
    );
  });

  test("shares equal parts, equals a list with equal items, and is an array in JSON", () => {
    const list = List.of(numbers(5000).map((value) => ({ value })));
    const changed = list.replace(70, { value: -1 });
    expect(changed.root.nodes.filter((node, index) => node !== list.root.nodes[index])).toHaveLength(1);
    expect(changed).not.toEqual(list);
    expect(changed.replace(70, { value: 70 })).toEqual(list);
    expect(JSON.stringify(List.of([1, "b"]))).toBe('[1,"b"]');
  });

  test.each([0, 1, 32, 1025])("of %i items reads like an array", (length) => {
    const [list, array] = [List.of(numbers(length)), numbers(length)];
    const isEven = (value: number): boolean => value % 2 === 0;
    const read = (items: readonly number[] | List<number>): unknown => [
      items.map((value, index) => [value, index]),
      Array.isArray(items)
        ? items.flatMap((value) => [value, -value])
        : (items as List<number>).flatMap((value) => [value, -value]),
      [
        items.filter(isEven),
        items.find((value) => value > 30),
        items.findLast(isEven),
        items.findIndex((value) => value > 30),
      ],
      [items.some(isEven), items.every(isEven), items.includes(31), items.indexOf(31), items.join(";")],
      items.reduce((sum, value, index) => sum + value * index, 5),
      [
        [...items.keys()],
        [...items.values()],
        [...items.entries()],
        [...items],
        Array.from(items),
        Object.fromEntries(items.entries()),
      ],
    ];
    expect(read(list)).toEqual(read(array));
    const seen: unknown[] = [];
    list.forEach((value, index, all) => seen.push([value, index, all.length]));
    expect(seen).toEqual(array.map((value, index) => [value, index, length]));
  });

  test("rethrows a callback's error, and refuses nothing", () => {
    const list = List.of([1]);
    expect(() => list.map(() => JSON.parse("{") as unknown)).toThrow(SyntaxError);
  });
});
