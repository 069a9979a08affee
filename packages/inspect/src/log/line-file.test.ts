import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { openLineFile } from "./line-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-line-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const failed = (error: Error): never => {
  throw error;
};

test("openLineFile() appends to a file", async () => {
  const path = join(folder, "log");
  for (const line of ["one", "two"]) {
    const file = await openLineFile(path, { flags: "a", failed });
    file.write(line);
    await file.close();
  }
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
});

test("openLineFile() does not wait for the reader of a named pipe", async () => {
  const path = join(folder, "pipe");
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  const file = await openLineFile(path, { flags: "a", failed });
  // More than a pipe holds.
  const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${"x".repeat(50)}`);
  for (const line of lines) file.write(line);
  const reader = spawn("head", ["-n", String(lines.length), path], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  reader.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(reader, "close");
  expect(text).toBe(`${lines.join("\n")}\n`);
  await file.close();
});

test("openLineFile() closes a named pipe that nobody ever reads", async () => {
  const path = join(folder, "pipe");
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
  const file = await openLineFile(path, { flags: "a", failed });
  for (let line = 0; line < 5_000; line++) file.write("x".repeat(50));
  await file.close();
});
