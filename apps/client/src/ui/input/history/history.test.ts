import { mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { HistoryFile, openHistory } from "./open-history.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-history-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the history lasts, with the prompts of the own directory last, and each once", () => {
  const env = { XDG_STATE_HOME: folder, HOME: folder, LOCALAPPDATA: folder };
  const here = openHistory({ cwd: "/here", env });
  const there = openHistory({ cwd: "/there", env });
  here.add("one");
  there.add("of the other");
  here.add("two\nlines");
  here.add("one");
  expect(openHistory({ cwd: "/here", env }).entries).toEqual(["of the other", "two\nlines", "one"]);
  expect(there.entries).toEqual(["two\nlines", "one", "of the other"]);
});

test("a link to the directory is the directory", () => {
  const env = { XDG_STATE_HOME: folder, HOME: folder, LOCALAPPDATA: folder };
  const link = join(folder, "link");
  symlinkSync(mkdtempSync(join(folder, "project-")), link, "junction");
  openHistory({ cwd: link, env }).add("one");
  openHistory({ cwd: "/there", env }).add("of the other");
  expect(openHistory({ cwd: realpathSync(link), env }).entries).toEqual(["of the other", "one"]);
});

test("what was cleared stays where it was typed, for this run only", () => {
  const env = { XDG_STATE_HOME: folder, HOME: folder, LOCALAPPDATA: folder };
  const history = openHistory({ cwd: folder, env });
  history.add("one");
  history.keep("a secret in the wrong window");
  history.keep("another one");
  history.add("two");
  expect(history.entries).toEqual(["one", "a secret in the wrong window", "another one", "two"]);
  expect(openHistory({ cwd: folder, env }).entries).toEqual(["one", "two"]);
});

test.skipIf(process.platform === "win32")("only the user can read the file (Windows has no modes)", () => {
  const path = join(folder, "state/acp/history.jsonl");
  new HistoryFile(path).append({ cwd: "/", prompt: "secret" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test("a file that has grown is shortened, and broken lines are skipped", () => {
  const path = join(folder, "history.jsonl");
  const line = (prompt: string): string => `${JSON.stringify({ cwd: "/", prompt })}\n`;
  writeFileSync(path, `broken {\n[]\n${line("x".repeat(500)).repeat(3_000)}${line("last")}`);
  const file = new HistoryFile(path);
  expect(file.read()).toHaveLength(3_001);
  file.append({ cwd: "/", prompt: "new" });
  expect(statSync(path).size).toBeLessThan(1024 * 1024);
  expect(
    file
      .read()
      .slice(-2)
      .map(({ prompt }) => prompt),
  ).toEqual(["last", "new"]);
});

test("a history that cannot be written lasts as long as the program", () => {
  const path = join(folder, "file");
  writeFileSync(path, "");
  const file = new HistoryFile(join(path, "history.jsonl"));
  file.append({ cwd: "/", prompt: "kept" });
  expect(file.read()).toEqual([{ cwd: "/", prompt: "kept" }]);
});
