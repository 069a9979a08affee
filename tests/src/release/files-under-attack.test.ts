// Files while others swap them, and clients that are killed while they write: as in the matrix, and much longer.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import type { ScenarioOutcome } from "../runtimes/scenario.ts";
import { commandOn, type RuntimeName } from "../support/runtimes.ts";

const program = fileURLToPath(new URL("../../dist/runtimes/run-scenarios.js", import.meta.url));

function run(runtime: RuntimeName, ...options: readonly string[]): readonly ScenarioOutcome[] {
  const { command, args } = commandOn(runtime, program, ["--runtime", runtime, ...options]);
  const { stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  process.stderr.write(stderr);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe.runIf(process.platform === "linux").each(["node20", "node24", "deno", "bun"] as const)("on %s", (runtime) => {
  test("nothing leaves the session's directories in 20,000 swaps", { timeout: 3_600_000 }, () => {
    const outcomes = run(runtime, "--suite", "file-races", "--swaps", "20000");
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(outcomes).toHaveLength(5);
  });

  test("500 kills tear no file, and leave nothing behind the next write", { timeout: 3_600_000 }, () => {
    for (let round = 0; round < 10; round += 1) {
      const outcomes = run(runtime, "--suite", "whole-files", "--kills", "50", "--scenario", "killed");
      expect(outcomes).toEqual([expect.objectContaining({ ok: true })]);
    }
  });
});
