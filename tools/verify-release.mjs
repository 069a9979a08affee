// `verify-release.mjs [--list] [parts]`: what a release needs beyond `npm test`, or parts of that. Runs inside pnpm.
import process from "node:process";

import { runSteps } from "./run-steps.mjs";

const build = {
  name: "build",
  alone: "npm run build",
  command: "turbo run build --output-logs=errors-only",
  needed: true,
};

/** Files of `tests/src/release`. */
function testsOf(...files) {
  return `vitest run --project release ${files.map((file) => `tests/src/release/${file}.test.ts`).join(" ")}`;
}

const parts = [
  {
    name: "runtimes",
    what: "every suite on every runtime, and each client against each agent; writes the report",
    command: "node tests/dist/runtimes/matrix/run-matrix.js",
  },
  {
    name: "hostile",
    what: "every hostile input, over the pipes of real processes",
    command: "node --conditions=@acp/source tests/src/hostile/run-hostile.ts --check",
  },
  {
    name: "faults",
    what: "a spread of the faults of a peer at the steps of a session, on Node, Deno and Bun",
    command: "node tests/dist/faults/run-faults.js --every 53",
  },
  {
    name: "fuzz",
    what: "the corpus of the fuzzer, and changed inputs",
    command: "node tests/dist/fuzz/run-fuzz.js --runs 1000",
  },
  {
    name: "thorough",
    what: "tests of `npm test` with all their cases, kills and runtimes; left out if THOROUGH=1 npm test has run them",
    isDone: process.env["THOROUGH"] !== undefined,
    command: "vitest run --project thorough",
  },
  {
    name: "audit",
    what: "known weaknesses of what users install, where a registry answers",
    command: "node tools/audit.mjs",
  },
  { name: "audit-test", what: "the audit, with registries that answer and that do not", command: testsOf("audit") },
  {
    name: "packages",
    what: "tarballs, entries, sizes of bundles, and declarations",
    command: testsOf("packaging", "packaging-exports", "packaging-size", "declarations"),
  },
  {
    name: "consumers",
    what: "projects that install the tarballs, with each package manager and each TypeScript",
    command: testsOf("consumers", "old-node"),
  },
  {
    name: "cli",
    what: "acp from its tarball in an empty folder, on Node, Deno and Bun, the tutorials, and the guide that ships an agent",
    command: testsOf("cli-package", "tutorials", "ship-your-agent"),
  },
  {
    name: "create",
    what: "projects of create-acp-agent with each template, runtime and package manager, where a registry answers",
    command: testsOf("create"),
  },
  {
    name: "agent",
    what: "acp-agent from its tarball in an empty folder, on Node, Deno and Bun",
    command: testsOf("agent-package"),
  },
  {
    name: "bundles",
    what: "agents and clients in one file, and errors in minified bundles",
    command: testsOf("one-file", "bundled-errors"),
  },
  {
    name: "files",
    what: "files that are swapped all the time, and killed writers; LONG=1 for ten times as much",
    command: testsOf("files-under-attack"),
  },
  { name: "resuming", what: "connections over HTTP and WebSockets with 200 faults", command: testsOf("resuming") },
  {
    name: "browser",
    what: "a page in a real browser, and the guide that bridges one to an agent",
    command: testsOf("browser", "bridge-a-page"),
  },
  {
    name: "pages",
    what: "the chat page, the page of a recording and the report of checks, in a real browser",
    command: testsOf(
      "page",
      "page-access",
      "page-content",
      "page-hub",
      "page-load",
      "page-pictures",
      "page-prompt",
      "page-questions",
      "react-chat",
      "assistant-ui",
      "studio",
      "studio/access",
      "studio/commands",
      "studio/live",
      "studio/session-view",
      "check-report",
    ),
  },
  {
    name: "frameworks",
    what: "the guide's samples for other frameworks, with those frameworks, where a registry answers",
    command: testsOf("in-your-framework"),
  },
  {
    name: "site",
    what: "the site: its links, its search, its playground, and how it looks; where a registry answers",
    command: testsOf("site"),
  },
  { name: "edge", what: "a worker in an edge runtime", command: testsOf("edge") },
  { name: "jsr", what: "the publish check of JSR", command: testsOf("jsr") },
  {
    name: "codegen",
    what: "the README of @acp/codegen, and the import of a newer schema into a copy of the repository",
    command: testsOf("codegen-readme", "own-methods", "newer-schema"),
  },
  {
    name: "rehearsal",
    what: "a release up to a registry on this machine, and projects that install from it; needs a registry for the rest",
    command: "node tests/src/release/rehearsal/run-rehearsal.ts --skip-offline",
  },
  {
    name: "ai-frameworks",
    what: "agents of other frameworks with @acp/ai, where a registry answers",
    command: testsOf("frameworks"),
  },
  { name: "acpx", what: "acpx as the client of the reference agent", command: testsOf("acpx") },
  {
    name: "benchmarks",
    what: "every kind of measurement works",
    command: "vitest run --project release bench/src/bench.test.ts",
  },
];

const args = process.argv.slice(2);
const unknown = args.filter((arg) => arg !== "--list" && !parts.some(({ name }) => name === arg));
if (unknown.length > 0) console.error(`There is no ${unknown.join(", ")}. These are the parts:`);
if (unknown.length > 0 || args.includes("--list")) {
  for (const { name, what } of parts) console.log(`${name.padEnd(15)}${what}`);
  process.exitCode = unknown.length > 0 ? 1 : 0;
} else {
  const chosen = parts
    .filter(({ name, isDone = false }) => (args.length === 0 ? !isDone : args.includes(name)))
    .map(({ name, command }) => ({ name, command, alone: `npm run test:release -- ${name}` }));
  // The matrix takes longer than the rest together.
  const lanes = [["runtimes"], parts.map(({ name }) => name).filter((name) => name !== "runtimes")];
  await runSteps([[[build]], lanes.map((names) => chosen.filter(({ name }) => names.includes(name)))]);
}
