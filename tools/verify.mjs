// All checks, in the order in which they fail fastest to read. Runs inside pnpm, after its install.
import { spawnSync } from "node:child_process";
import process from "node:process";

/** What is checked, how to run that check alone, and the command. */
const steps = [
  ["build", "npm run build", ["turbo", "run", "build", "--output-logs=errors-only"]],
  [
    "generated files are up to date",
    "npm run generate:check",
    ["pnpm", "--silent", "--filter", "@acp/codegen", "run", "generate:check"],
  ],
  ["format", "npm run format -- --check", ["oxfmt", "--check"]],
  ["lint", "npm run lint", ["oxlint", "--type-aware", "--deny-warnings"]],
  ["types", "npm run typecheck", ["turbo", "run", "typecheck", "--output-logs=errors-only"]],
  ["unused code", "npm run unused", ["knip", "--no-config-hints"]],
  ["tests", "npm run unit", ["vitest", "run"]],
];

const results = [];
for (const [name, alone, [command, ...args]] of steps) {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const { status, signal, error } = spawnSync(command, args, {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const passed = status === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const end = error?.message ?? (signal === null ? `exit code ${status}` : `ended by ${signal}`);
  const result = `${passed ? "passed" : "FAILED"} in ${seconds} s`;
  console.log(`== ${name}: ${result}`);
  results.push({ passed, line: `${name}: ${result}${passed ? "" : ` (${end}); alone: ${alone}`}` });
  // Nothing else means anything without a build.
  if (!passed && name === "build") break;
}

console.log("\n== All checks");
for (const { line } of results) console.log(line);
if (results.length < steps.length) console.log("The rest was not run.");
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
