// `verify.mjs [--changed [commit]]`: every check of `npm test`, or those that changes since a commit concern (default: HEAD):
// the tests that import what changed, format, lint and types. Runs inside pnpm, after its install.
import process from "node:process";

import { runSteps } from "./run-steps.mjs";

const projects = "--project packages --project clocks --project programs";
/** Records the outcome of each test for the conformance report. */
const evidence = "./tests/src/conformance/gate/reporter.ts";

const build = {
  name: "build",
  alone: "npm run build",
  command: "turbo run build --output-logs=errors-only",
  needed: true,
};
const tests = {
  name: "tests",
  alone: "npm run unit",
  command: `vitest run ${projects} --reporter=default --reporter=${evidence}`,
};
/** The whole matrix is a part of `npm run test:release`. */
const runtimes = [
  {
    name: "the oldest runtime",
    alone: "npm run matrix -- --only node20",
    command: "node tests/dist/runtimes/matrix/run-matrix.js --only node20 --evidence",
  },
  {
    name: "other runtimes",
    alone: "npm run matrix -- --only deno,bun --suite main-job,sessions,stdio,transport",
    command: "node tests/dist/runtimes/matrix/run-matrix.js --only deno,bun --suite main-job,sessions,stdio,transport",
  },
];
const generated = [
  {
    name: "generated files are up to date",
    alone: "npm run generate:check",
    command: "pnpm --silent --filter @acp/codegen run generate:check",
  },
  { name: "reports of public types", alone: "npm run api", command: "node tools/api-report.mjs --check" },
];
const sources = [
  { name: "format", alone: "npm run format -- --check", command: "oxfmt --check" },
  { name: "lint", alone: "npm run lint", command: "oxlint --type-aware --deny-warnings" },
  {
    name: "types",
    alone: "npm run typecheck",
    // Each of more checkers reads the types of others anew, and packages are checked side by side already.
    command: "turbo run typecheck --continue --output-logs=errors-only -- --checkers 1",
  },
  { name: "unused code", alone: "npm run unused", command: "knip --no-config-hints" },
];
/** Judges what the tests and the runtimes have recorded. */
const conformance = {
  name: "conformance",
  alone: "npm run conformance",
  command: "node --conditions=@acp/source tests/src/conformance/run-conformance.ts --check",
};

const [flag, commit = "HEAD"] = process.argv.slice(2);
if (flag === undefined) {
  await runSteps([[[build]], [[tests], [...generated, ...sources], runtimes], [[conformance]]]);
} else if (flag === "--changed") {
  const command = `vitest run ${projects} --changed ${commit} --passWithNoTests`;
  await runSteps([[[build]], [[{ ...tests, command }], sources]]);
} else {
  console.error(`There is no option ${flag}: npm test [-- --changed [commit]]`);
  process.exitCode = 2;
}
