// Files while others swap them, and clients that are killed while they write: as in the matrix, and longer. With LONG=1 ten
// times as long: 20,000 swaps and 500 kills on each runtime, which takes a quarter of an hour.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import type { ScenarioOutcome } from "../runtimes/scenario.ts";
import { commandOn, type RuntimeName } from "../support/runtimes.ts";

const times = process.env["LONG"] === undefined ? 1 : 10;
const swaps = 2_000 * times;

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
  test(`nothing leaves the session's directories in ${swaps} swaps`, { timeout: 3_600_000 }, () => {
    const outcomes = run(runtime, "--suite", "file-races", "--swaps", String(swaps));
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(outcomes).toHaveLength(5);
  });

  test(`${50 * times} kills tear no file, and leave nothing behind the next write`, { timeout: 3_600_000 }, () => {
    for (let round = 0; round < times; round += 1) {
      const outcomes = run(runtime, "--suite", "whole-files", "--kills", "50", "--scenario", "killed");
      expect(outcomes).toEqual([expect.objectContaining({ ok: true })]);
    }
  });
});
