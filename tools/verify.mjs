// All checks, in the order in which they fail fastest to read. Runs inside pnpm, after its install.
import { spawnSync } from "node:child_process";
import process from "node:process";

const steps = [
  ["build", "turbo", "run", "build", "--output-logs=errors-only"],
  ["generated files are up to date", "pnpm", "--silent", "--filter", "@acp/codegen", "run", "generate:check"],
  ["format", "oxfmt", "--check"],
  ["lint", "oxlint", "--type-aware", "--deny-warnings"],
  ["types", "turbo", "run", "typecheck", "--output-logs=errors-only"],
  ["unused code", "knip", "--no-config-hints"],
  ["tests", "vitest", "run"],
];

const failed = [];
for (const [name, command, ...args] of steps) {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`== ${name}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s`);
  if (status !== 0) failed.push(name);
  // Nothing else means anything without a build.
  if (status !== 0 && name === "build") break;
}
if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
