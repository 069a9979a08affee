import { describe, expect, test } from "vitest";

import { diffLines } from "./diff-lines.ts";

function shown(oldText: string | undefined, newText: string): string[] {
  return diffLines(oldText, newText).map(({ text }) => text);
}

const numbered = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");

describe("diffLines()", () => {
  test("shows the context of a change, and reports a line without an end", () => {
    expect(shown("1\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive")).toEqual([
      "@@ -2,4 +2,4 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+five",
      String.raw`\ No newline at end of file`,
    ]);
  });

  test.each([
    ["\\r\\n to \\n", "a\r\nb\r\n", "a\nb\n", ["-a\r", "-b\r", "+a", "+b"]],
    ["\\n to \\r\\n in one line", "a\nb\n", "a\nb\r\n", [" a", "-b", "+b\r"]],
    ["\\r to \\n", "a\rb\n", "a\nb\n", ["-a\rb", "+a", "+b"]],
  ])("reports that only the line ends differ: %s", (_, before, after, lines) => {
    const [first, , ...rest] = shown(before, after);
    expect(first).toBe("only the line ends differ");
    expect(rest).toEqual(lines);
  });

  test.each([
    ["a text direction mark", "a\n", "a\u202E\n"],
    ["a control character", "a\u001Bb\n", "ab\n"],
    ["an escape sequence", "a\u001B[1mb\n", "ab\n"],
    ["a character without width", "a\u200Bb\n", "ab\n"],
  ])("has the change of %s", (_, before, after) => {
    expect(shown(before, after).slice(1)).toEqual([`-${before.trimEnd()}`, `+${after.trimEnd()}`]);
  });

  test("shows the content when a line does not exist", () => {
    expect(shown("a\n", "a\n")).toEqual(["no change"]);
    expect(shown("", "")).toEqual(["no change"]);
    expect(shown(undefined, "")).toEqual(["empty file"]);
  });

  test("has all lines of a long new file and of one that is emptied", () => {
    expect(diffLines(undefined, numbered("new", 50_000))).toHaveLength(50_001);
    expect(diffLines(numbered("old", 50_000), "")).toHaveLength(50_001);
  });

  test("does not compare a hundred thousand lines that changed, which would take hours", () => {
    const [before, after] = [numbered("old", 100_000), numbered("new", 100_000)];
    const lines = diffLines(`1\n2\n3\n4\n${before}5\n6\n`, `1\n2\n3\n4\n${after}5\n6\n`);
    expect(lines.slice(0, 6).map(({ text }) => text)).toEqual([
      "100000 lines removed, 100000 added: too many to tell which stay",
      "@@ -2,100005 +2,100005 @@",
      " 2",
      " 3",
      " 4",
      "-old 0",
    ]);
    expect(lines.slice(100_004, 100_006).map(({ text }) => text)).toEqual(["-old 99999", "+new 0"]);
    expect(lines.slice(-3).map(({ text }) => text)).toEqual(["+new 99999", " 5", " 6"]);
  });
});
