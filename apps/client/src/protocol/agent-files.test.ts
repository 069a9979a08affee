import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { diffRows, type ShownDiff, textOf } from "@acp/render";
import { showContent } from "@acp/render/session";
import { afterAll, expect, test } from "vitest";

import { agentFiles, readNewFile } from "./agent-files.ts";

const folder = mkdtempSync(join(tmpdir(), "acp-files-"));
const path = join(folder, "file.txt");
afterAll(() => rmSync(folder, { recursive: true }));

function changeOf(file: string, oldText: string, newText: string): ShownDiff {
  const [content] = showContent({ type: "diff", path: file, oldText, newText }, agentFiles);
  if (content?.kind !== "diff") throw new Error("a diff is shown as one");
  return content;
}

const drawn = (diff: ShownDiff): string[] => diffRows(diff, 40, false).map(textOf);

test("a change of a part of a file has the numbers of the file", () => {
  writeFileSync(path, "one\ntwo\nthree\nfour\n");
  expect(drawn(changeOf(path, "two\nthree", "two\n3"))).toEqual(["2  two", "3 -three", "3 +3"]);
});

test.each([
  ["a folder", folder],
  ["a missing file", join(folder, "missing")],
  ["a device that has no end", "/dev/zero"],
])("a change of %s has numbers from 1", (_, file) => {
  expect(drawn(changeOf(file, "two\n", "new\n"))).toEqual(["1 -two", "1 +new"]);
});

test("a file of more than 2 MB is not read", () => {
  writeFileSync(path, `one\ntwo\n${"x".repeat(2_000_000)}\n`);
  expect(drawn(changeOf(path, "two\n", "new\n"))).toEqual(["1 -two", "1 +new"]);
});

test("a file that the agent has read as empty, since it was missing, is new", () => {
  const missing = join(folder, "new.txt");
  expect(changeOf(missing, "", "text\n").isNew).toBe(false);
  expect(readNewFile(missing, missing)).toBe("");
  expect(changeOf(missing, "", "text\n").isNew).toBe(true);
  expect(readNewFile(path, path)).toBeUndefined();
});
