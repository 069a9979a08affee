import { describe, expect, test } from "vitest";

import { clippedLines } from "./clip.ts";
import { span, textOf } from "./spans.ts";

function clipped(text: string, head: number, tail: number): string[] {
  return clippedLines(
    text.split("\n").map((line) => [span(line)]),
    { head, tail },
  ).map(textOf);
}

describe("clippedLines()", () => {
  test("shows all lines within the limits, and those that a remark would not make shorter", () => {
    expect(clipped("1\n2\n3", 3, 0)).toEqual(["1", "2", "3"]);
    expect(clipped("1\n2\n3\n4", 3, 0)).toEqual(["1", "2", "3", "4"]);
    expect(clipped("1\n2\n3\n4", 1, 2)).toEqual(["1", "2", "3", "4"]);
  });

  test("reports how many lines it left out between beginning and end", () => {
    expect(clipped("1\n2\n3\n4\n5\n6", 3, 0)).toEqual(["1", "2", "3", "… 3 more lines"]);
    expect(clipped("1\n2\n3\n4\n5\n6\n7", 2, 2)).toEqual(["1", "2", "… 3 more lines", "6", "7"]);
  });
});
