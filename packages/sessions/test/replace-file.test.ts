import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { takeLock } from "../src/files/lock.ts";
import { replaceFile, replaceFileSync } from "../src/files/replace-file.ts";

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-files-"));
  onTestFinished(async () => (await import("node:fs/promises")).rm(folder, { recursive: true }));
  return folder;
}

const ways = { replaceFile, replaceFileSync: async (path: string, content: string) => replaceFileSync(path, content) };

test.each(Object.entries(ways))("%s leaves the new content and no other file", async (_, replace) => {
  const folder = createFolder();
  const path = join(folder, "file");
  for (const content of ["first", "", "second 😀\n"]) {
    await replace(path, content);
    expect(readFileSync(path, "utf8")).toBe(content);
    expect(readdirSync(folder)).toEqual(["file"]);
  }
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each(Object.entries(ways))("%s keeps the old content and leaves no draft when it fails", async (_, replace) => {
  const folder = createFolder();
  // A folder with something in it cannot be replaced by a file.
  writeFileSync(join(folder, "inside"), "");
  await expect(replace(folder, "new")).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["inside"]);
  expect(readdirSync(join(folder, ".."))).not.toContainEqual(
    expect.stringContaining(`${folder.split(/[/\\]/u).at(-1)}.`),
  );
});

test("a file that may not be replaced any more stays, without a leftover draft", () => {
  const folder = createFolder();
  const path = join(folder, "file");
  writeFileSync(path, "old");
  replaceFileSync(path, "new", () => false);
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("the lock of a process of another machine counts, whether such a process runs here or not", () => {
  const path = join(createFolder(), "lock");
  writeFileSync(path, "999999999 1 elsewhere");
  expect(takeLock(path, "here")).toEqual({ heldBy: 999_999_999 });
  writeFileSync(path, "999999999 1 here");
  expect(takeLock(path, "here")).toHaveProperty("release");
});

test("a released lock can be taken again, one that is held cannot", () => {
  const path = join(createFolder(), "lock");
  const lock = takeLock(path, "here");
  expect(takeLock(path, "here")).toEqual({ heldBy: process.pid });
  if ("release" in lock) lock.release();
  expect(takeLock(path, "here")).toHaveProperty("release");
});
