import { describe, expect, test } from "vitest";

import { clipDiff } from "./clip-diff.ts";
import { diffLines } from "./diff-lines.ts";

const numbered = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");

function clipped(oldText: string | undefined, newText: string): string[] {
  return clipDiff(diffLines(oldText, newText)).map(({ text }) => text);
}

describe("clipDiff()", () => {
  test("shows the first and last lines of both the removed and the added text", () => {
    const shown = clipped(numbered("old", 200), numbered("new", 300));
    expect(shown.slice(0, 2)).toEqual(["@@ -1,200 +1,300 @@", "-old 0"]);
    expect(shown.slice(30, 33)).toEqual(["-old 29", "… 160 more removed lines", "-old 190"]);
    expect(shown.slice(41, 43)).toEqual(["-old 199", "+new 0"]);
    expect(shown.slice(72, 74)).toEqual(["… 260 more added lines", "+new 290"]);
    expect(shown.at(-1)).toBe("+new 299");
  });

  test("leaves a diff that fits unchanged", () => {
    expect(clipped(numbered("old", 41), numbered("new", 41))).toHaveLength(83);
  });

  test("shows the first and the last of many changes, and how many lines go and come between them", () => {
    const lines = (word: string): string =>
      Array.from({ length: 100 }, (_, n) => `${word} ${n}\n\n\n\n\n\n\n\n`).join("");
    const shown = clipped(lines("old"), lines("new"));
    expect(shown).toHaveLength(111);
    expect(shown[90]).toMatch(/^… \d+ more lines, 88 of them removed and 88 added$/u);
    expect(shown.filter((line) => line.startsWith("-") || line.startsWith("+"))).toHaveLength(24);
    expect(shown).toContain("+new 99");
  });
});
