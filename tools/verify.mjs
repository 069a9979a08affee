// Every check of `npm test`. Runs inside pnpm, after its install.
import { runSteps } from "./run-steps.mjs";

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
  command: `vitest run --project packages --project clocks --project programs --reporter=default --reporter=${evidence}`,
};
const runtimes = {
  name: "runtimes",
  alone: "npm run matrix",
  command: "node tests/dist/runtimes/matrix/run-matrix.js --only node20,node24,deno,bun --evidence",
};
const sources = [
  {
    name: "generated files are up to date",
    alone: "npm run generate:check",
    command: "pnpm --silent --filter @acp/codegen run generate:check",
  },
  { name: "reports of public types", alone: "npm run api", command: "node tools/api-report.mjs --check" },
  { name: "format", alone: "npm run format -- --check", command: "oxfmt --check" },
  { name: "lint", alone: "npm run lint", command: "oxlint --type-aware --deny-warnings" },
  {
    name: "types",
    alone: "npm run typecheck",
    command: "turbo run typecheck --continue --output-logs=errors-only",
  },
  { name: "unused code", alone: "npm run unused", command: "knip --no-config-hints" },
];
/** Judges what the tests and the runtimes have recorded. */
const conformance = {
  name: "conformance",
  alone: "npm run conformance",
  command: "node --conditions=@acp/source tests/src/conformance/run-conformance.ts --check",
};

await runSteps([[[build]], [[tests], sources, [runtimes]], [[conformance]]]);
