import { describe, expect, test } from "vitest";

import { diffLines } from "./diff-lines.ts";
import { withoutLongBeginnings } from "./clip-diff.ts";

function shown(oldText: string, newText: string): string[] {
  return withoutLongBeginnings(diffLines(oldText, newText)).map(({ text }) => text);
}

describe("withoutLongBeginnings()", () => {
  test("shows the change in a long line, whatever comes before it", () => {
    const beginning = "a".repeat(10_000);
    const kept = "a".repeat(60);
    expect(shown(`${beginning}old\n`, `${beginning}new`)).toEqual([
      "@@ -1,1 +1,1 @@",
      `-… (9,940 characters as before) ${kept}old`,
      `+… (9,940 characters as before) ${kept}new`,
      String.raw`\ No newline at end of file`,
    ]);
  });

  test("leaves short lines, and long ones that differ at once, as they are", () => {
    for (const [before, after] of [
      ["a\nb\n", "a\nc\n"],
      [`${"a".repeat(5_000)}\n`, `${"b".repeat(5_000)}\n`],
    ] as const)
      expect(shown(before, after)).toEqual(diffLines(before, after).map(({ text }) => text));
  });

  test("cuts no character in two", () => {
    const beginning = "👩".repeat(1_000);
    expect(shown(`${beginning}xy`, `${beginning}xz`)[1]).toBe(`-… (1,940 characters as before) ${"👩".repeat(30)}xy`);
    expect(shown(`${beginning}y`, `${beginning}z`)[1]).toBe(`-… (1,940 characters as before) ${"👩".repeat(30)}y`);
  });
});
