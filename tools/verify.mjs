// All checks, in the order in which they fail fastest to read. Runs inside pnpm, after its install.
import { spawnSync } from "node:child_process";
import process from "node:process";

import { byName } from "./by-name.mjs";

/** Notes what came of each test, for the conformance report. */
const evidence = "./tests/src/conformance/gate/reporter.ts";

const steps = [
  { name: "build", alone: "npm run build", command: "turbo run build --output-logs=errors-only" },
  {
    name: "generated files are up to date",
    alone: "npm run generate:check",
    command: "pnpm --silent --filter @acp/codegen run generate:check",
  },
  { name: "format", alone: "npm run format -- --check", command: "oxfmt --check" },
  { name: "lint", alone: "npm run lint", command: "oxlint --type-aware --deny-warnings" },
  {
    name: "types",
    alone: "npm run typecheck",
    command: "turbo run typecheck --continue --output-logs=errors-only",
  },
  { name: "unused code", alone: "npm run unused", command: "knip --no-config-hints" },
  { name: "tests", alone: "npm run unit", command: `vitest run --reporter=default --reporter=${evidence}` },
  {
    name: "runtimes",
    alone: "npm run matrix",
    command: "node tools/built.mjs tests/dist/runtimes/matrix/run-matrix.js --evidence",
  },
  {
    // Takes what the two steps before it have left.
    name: "conformance",
    alone: "npm run conformance",
    command: "node --conditions=@acp/source tests/src/conformance/run-conformance.ts --check",
  },
];

const results = [];
for (const { name, alone, command } of steps) {
  const [program = "", ...args] = command.split(" ");
  const started = performance.now();
  console.log(`\n== ${name}`);
  const { status, signal, error } = spawnSync(...byName(program, args, { stdio: "inherit" }));
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
