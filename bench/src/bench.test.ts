import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import type { Results } from "./main.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** Every kind of work; each run checks what it received, so that a fast loss of messages is no result. */
const parts = [
  "updates-mixed",
  "reads-64",
  "prompts-64",
  "large-10mb",
  "in-process",
  "content-length",
  "http-updates",
  "web-socket-files-64",
  "bundle-size",
];

test("every kind of measurement runs, at a size too small to measure speed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "acp-bench-"));
  try {
    const file = path.join(folder, "results.json");
    await run(process.execPath, [program, "--quick", "--json", file, ...parts.flatMap((name) => ["--only", name])]);
    const { parts: done } = JSON.parse(readFileSync(file, "utf8")) as Results;
    expect(done.map(({ name }) => name)).toEqual(parts);
    for (const { rows, head } of done) for (const row of rows) expect(row).toHaveLength(head.length);
    expect(done[0]?.rows.map(([title]) => title)).toEqual([
      "raw",
      "raw, awaited",
      "@acp",
      "official SDK",
      "vscode-jsonrpc",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("reports an unknown part, with the usage", async () => {
  await expect(run(process.execPath, [program, "--only", "speed"])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--list"),
  });
});
