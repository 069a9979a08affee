import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import process from "node:process";

import { suites } from "../../runtimes/matrix/suites.ts";
import { idsIn } from "./claims.ts";
import { root } from "./evidence.ts";

/** Their tests are rows of other files, which have the ids. */
const testsOfRows = ["tests/src/interop/interop.test.ts"];

/** Runs the tests that have ids of rules, and the scenarios on one runtime. Returns whether they all passed. */
export function runClaimingTests(): boolean {
  const tests = globSync("{codegen,packages/*,apps/*,tests,examples}/**/*.test.ts", {
    cwd: root,
    // Nor what `npm test` leaves to `npm run test:release`: no rule has its only proof there.
    exclude: (path) => /node_modules|dist|src[/\\]release/u.test(path),
  }).map((file) => file.replaceAll("\\", "/"));
  const claiming = tests.filter((file) => idsIn(readFileSync(root + file, "utf8")).size > 0);
  const claimingSuites = suites
    .filter(({ scenarios }) => scenarios.some(({ name }) => idsIn(name).size > 0))
    .map(({ name }) => name);
  const vitest = [
    "vitest",
    "run",
    ...projects,
    "--reporter=default",
    `--reporter=${reporter}`,
    ...claiming,
    ...testsOfRows,
  ];
  const matrix = ["node", matrixProgram, "--runtime", "node24", "--suite", claimingSuites.join(","), "--evidence"];
  // Both, whatever comes of the first.
  return [vitest, matrix].map(run).every(Boolean);
}

const projects = ["packages", "clocks", "programs"].flatMap((name) => ["--project", name]);
const reporter = "./tests/src/conformance/gate/reporter.ts";
const matrixProgram = "tests/dist/runtimes/matrix/run-matrix.js";

function run([program = "", ...args]: readonly string[]): boolean {
  const options = { cwd: root, stdio: "inherit", shell: process.platform === "win32" } as const;
  return spawnSync(program, args, options).status === 0;
}
