// Whoever lacks a runtime is told what to install, in one line, instead of being told that all is well.
import { execFile } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "../support/packages.ts";
import { runtimeNames, runtimes } from "../support/runtimes.ts";

const matrix = join(root, "tests/dist/runtimes/matrix/run-matrix.js");

test.each(runtimeNames)("the matrix fails in one line when %s is missing", async (name) => {
  const variable = `ACP_${name.toUpperCase()}`;
  const { code, stdout } = await new Promise<{ code: number | null; stdout: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [matrix, "--suite", "stdio", "--runtime", name],
      { env: { ...process.env, [variable]: "/no/such/runtime" } },
      (_error, output) => resolve({ code: child.exitCode, stdout: output }),
    );
  });
  expect(code).toBe(1);
  expect(stdout).toContain("0 of 1 cells passed");
  const lines = stdout.split("\n").filter((line) => line.includes("/no/such/runtime"));
  expect(lines.map((line) => line.trim())).toEqual([
    `${runtimes[name].title} is missing: run \`node tools/pnpm.mjs install\`, which installs it from npm, ` +
      `or set ${variable} to its executable (looked for /no/such/runtime)`,
  ]);
});
