import { expect, test } from "vitest";
import { lineDiff } from "./line-diff.ts";

test.each([
  [
    "a\nb\nc\n",
    "a\nx\nc\n",
    [
      [" ", "a\n"],
      ["-", "b\n"],
      ["+", "x\n"],
      [" ", "c\n"],
    ],
  ],
  [
    undefined,
    "a\nb",
    [
      ["+", "a\n"],
      ["+", "b"],
    ],
  ],
  [null, "", []],
  [
    "a",
    "a\n",
    [
      ["-", "a"],
      ["+", "a\n"],
    ],
  ],
  ["same\r\n", "same\r\n", [[" ", "same\r\n"]]],
])("lineDiff() of %j and %j marks each line", (oldText, newText, lines) => {
  expect(lineDiff(oldText, newText)).toEqual(lines);
});

test("lineDiff() of texts with too many changes shows one change, and soon", () => {
  const text = (word: string): string => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join("");
  const lines = lineDiff(`a\n${text("old")}z`, `a\n${text("new")}z`);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([40_002, [" ", "a\n"], [" ", "z"]]);
});

test.each([undefined, null, 5, {}])("lineDiff() names the expected type when the new text is %j", (newText) => {
  expect(() => lineDiff("a", newText as never)).toThrow(/lineDiff takes the old text/);
});
