import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeEach, describe, expect, test } from "vitest";

import type { ShownDiff } from "../protocol/shown.ts";
import { diffLines } from "../text/diff-lines.ts";
import { textOf } from "../text/spans.ts";
import { diffRows } from "./diff.ts";

const folder = mkdtempSync(join(tmpdir(), "acp-diff-"));
const path = join(folder, "file.txt");
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(path, "one\ntwo\nthree\nfour\nfour\n"));

function drawn(before: string, after: string, file = path): string[] {
  const diff: ShownDiff = {
    path: file,
    isNew: false,
    key: "",
    texts: { before, after },
    lines: () => diffLines(before, after),
  };
  return diffRows(diff, 40, false).map(textOf);
}

describe("diffRows()", () => {
  test("numbers the lines as the file does if the agent sends a part of it", () => {
    expect(drawn("two\nthree", "two\n3")).toEqual(["2  two", "3 -three", "3 +3"]);
  });

  test("numbers them so after the change, too", () => {
    writeFileSync(path, "one\ntwo\n3\nfour\n");
    expect(drawn("two\nthree", "two\n3")).toEqual(["2  two", "3 -three", "3 +3"]);
  });

  test("reports that the file has no newline at its end only where the file ends", () => {
    writeFileSync(path, "one\ntwo");
    expect(drawn("two", "2")).toEqual([
      "2 -two",
      "  \\ No newline at end of file",
      "2 +2",
      "  \\ No newline at end of file",
    ]);
  });

  test.each([
    ["is in the file twice", "four\n", path],
    ["is not in the file", "five\n", path],
    ["is in no file", "two\n", folder],
  ])("starts with 1 if the text %s", (_, before, file) => {
    expect(drawn(before, "new\n", file)).toEqual([`1 -${before.trim()}`, "1 +new"]);
  });
});
