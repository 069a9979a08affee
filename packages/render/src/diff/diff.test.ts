import { beforeAll, describe, expect, test } from "vitest";

import type { ShownDiff } from "../shown.ts";
import { diffLines } from "./diff-lines.ts";
import { type Line, textOf } from "../text/spans.ts";
import { findPlace } from "./diff-place.ts";
import { diffRows } from "./diff.ts";
import { loadHighlighter } from "../markdown/highlight.ts";

const numbers = "one\ntwo\nthree\nfour\nfour\n";

function drawn(before: string, after: string, file: string | undefined): string[] {
  const diff: ShownDiff = {
    path: "/project/file.txt",
    isNew: false,
    key: "",
    place: () => (file === undefined ? undefined : findPlace(file, before, after)),
    lines: () => diffLines(before, after),
  };
  return diffRows(diff, 40, false).map(textOf);
}

describe("diffRows()", () => {
  test("numbers the lines as the file does if the agent sends a part of it", () => {
    expect(drawn("two\nthree", "two\n3", numbers)).toEqual(["2  two", "3 -three", "3 +3"]);
  });

  test("numbers them so after the change, too", () => {
    expect(drawn("two\nthree", "two\n3", "one\ntwo\n3\nfour\n")).toEqual(["2  two", "3 -three", "3 +3"]);
  });

  test("reports that the file has no newline at its end only where the file ends", () => {
    expect(drawn("two", "2", "one\ntwo")).toEqual([
      "2 -two",
      "  \\ No newline at end of file",
      "2 +2",
      "  \\ No newline at end of file",
    ]);
  });

  test.each([
    ["is in the file twice", "four\n", numbers],
    ["is not in the file", "five\n", numbers],
    ["is in no file", "two\n", undefined],
  ])("starts with 1 if the text %s", (_, before, file) => {
    expect(drawn(before, "new\n", file)).toEqual([`1 -${before.trim()}`, "1 +new"]);
  });
});

describe("a change of code", () => {
  beforeAll(loadHighlighter);

  function spans(before: string, after: string, file = "/nowhere/a.ts"): Line[] {
    const diff: ShownDiff = { path: file, isNew: false, key: "", lines: () => diffLines(before, after) };
    return diffRows(diff, 80, false).map((line) => line.slice(1));
  }

  test("marks the words that differ, and has the colours of its language", () => {
    expect(spans("const total = 1;\n", "const total = 2;\n")).toEqual([
      [
        { text: "-", formats: ["red"] },
        { text: "const", formats: ["magenta"] },
        { text: " total = ", formats: ["red"] },
        { text: "1", formats: ["red", "bold", "underline"] },
        { text: ";", formats: ["red"] },
      ],
      [
        { text: "+", formats: ["green"] },
        { text: "const", formats: ["magenta"] },
        { text: " total = ", formats: ["green"] },
        { text: "2", formats: ["green", "bold", "underline"] },
        { text: ";", formats: ["green"] },
      ],
    ]);
  });

  test("knows a comment of several lines, and shows lines around the change less bright", () => {
    const lines = spans("/* one\ntwo\nthree */\nf();\n", "/* one\n2\nthree */\nf();\n");
    expect(lines[3]).toEqual([{ text: " three */", formats: ["dim"] }]);
    // Dimmed colours could not be read.
    const code = spans("const a = 1;\nf();\n", "const a = 1;\ng();\n");
    expect(code.flat()).toContainEqual({ text: "const", formats: ["magenta"] });
  });

  test.each([
    ["nothing in common", "alpha beta gamma\n", "delta epsilon zeta\n"],
    ["another number of lines", "a b\n", "a c\nd\n"],
    ["long lines", `${"a ".repeat(300)}\n`, `${"a ".repeat(300)}b\n`],
  ])("marks no words of lines with %s", (_, before, after) => {
    expect(
      spans(before, after, "/nowhere/a.txt")
        .flat()
        .some(({ formats }) => formats.includes("underline")),
    ).toBe(false);
  });

  test("writes out what hides, without colours that could distract", () => {
    expect(spans("const a = 1;\n", "const a = 1;\u202E\n")[1]).toEqual([
      { text: "+const a = 1;", formats: ["green"] },
      { text: "<U+202E>", formats: ["green", "inverse"] },
    ]);
  });

  test("has each character of its lines, whatever the language makes of them", () => {
    const code = "\t<a href=\"x&amp;y\">`${'\\\\'}`</a>\n/* */ é 漢字\n";
    for (const file of ["a.ts", "a.html", "a.md", "a.py", "a.unknown", "Makefile"]) {
      const rows = spans("", code, `/nowhere/${file}`).map(textOf);
      expect(rows).toEqual(
        code
          .replace("\t", "   ")
          .trimEnd()
          .split("\n")
          .map((line) => `+${line}`),
      );
    }
  });

  test("takes no time, however long it is", () => {
    const many = (word: string): string => `${word} = "x"\n`.repeat(20_000);
    const before = process.cpuUsage();
    spans(many("old"), many("new"));
    spans(`${"x ".repeat(100_000)}\n`, `${"y ".repeat(100_000)}\n`);
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });
});
