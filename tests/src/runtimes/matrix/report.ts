import { type RuntimeName, runtimes } from "../../support/runtimes.ts";
import type { System } from "../scenario.ts";
import type { CellResult } from "./run-cell.ts";
import { acrossSuite, type Suite, suites } from "./suites.ts";
import { table } from "./table.ts";

type Results = readonly CellResult[];

const systems: Readonly<Record<System, string>> = { windows: "Windows", wine: "Wine" };

function titleOf(name: RuntimeName | System): string {
  return name === "windows" || name === "wine" ? systems[name] : runtimes[name].title;
}

/** `80 of 84 cells passed`. */
export function summary(results: Results): string {
  return `${results.filter(hasPassed).length} of ${results.length} cells passed`;
}

function hasPassed({ failures: failed }: CellResult): boolean {
  return failed.length === 0;
}

/** The tables of what ran, in Markdown that is readable as it is. */
export function tables(results: Results, names: readonly RuntimeName[]): string {
  const ranSuites = suites.filter(({ name }) => results.some(({ cell }) => cell.suite === name));
  const bySuite = ranSuites.map((suite) => [suite.title, ...names.map((name) => mark(results, suite, name, name))]);
  const across = results.some(({ cell }) => cell.suite === acrossSuite.name)
    ? names.map((client) => [
        runtimes[client].title,
        ...names.map((agent) => mark(results, acrossSuite, client, agent)),
      ])
    : [];
  const titles = names.map((name) => runtimes[name].title);
  return [
    ...(bySuite.length === 0 ? [] : [table(["Suite", ...titles], bySuite)]),
    ...(across.length === 0 ? [] : [table(["Client ↓ agent →", ...titles], across)]),
  ].join("\n\n");
}

/** Everything that failed, and how. */
export function failures(results: Results): string {
  return results
    .flatMap(({ cell, failures: failed }) => {
      const where = cell.runtime === cell.programs ? cell.runtime : `${cell.runtime}, agent on ${cell.programs}`;
      return failed.map(({ name, error }) => `✗ ${cell.suite} on ${where}: ${name}\n${indent(error)}`);
    })
    .join("\n\n");
}

/** `docs/runtimes.md`, for people who choose a runtime. */
export function page(results: Results, names: readonly RuntimeName[]): string {
  return `# Runtimes

One suite of programs runs on every runtime, as real processes, on the built packages, on Linux. A cell shows how many
scenarios passed; [the report](reports/runtimes.md) lists them. \`npm run matrix\` runs the suite and writes both pages.

${tables(results, names)}

${summary(results)}.

[Node.js](guide/node.md), [Deno](guide/deno.md) and [Bun](guide/bun.md) explain the differences. \`npm run startup\` measures
imports. The runtimes come from npm; variables such as \`ACP_NODE20\` and \`ACP_DENO\` name others.

## Windows and macOS

**Nothing here was run on Windows itself, nor on macOS.** Under Wine 10, Windows builds of Node 20, 22 and 24 passed all
suites, as clients and as agents. So did Bun, except for scenarios that read its stderr, where Wine adds lines, and Deno,
except that it panics in one of five runs when a process with pipes ends
([mio#1819](https://github.com/tokio-rs/mio/issues/1819)). Wine has no symbolic links and junctions, another \`cmd.exe\`, and a
PowerShell that does nothing. [Run the matrix](../tests/README.md#run-the-matrix) has the commands, and
[Run commands](guide/run-commands.md#on-windows) what differs on Windows.

## Pages and workers

\`@acp/core\`, \`@acp/schema\` and \`@acp/framing\` need only web globals. Tests install the tarballs of a release in other
projects to prove it:

- [A page](../tests/src/release/browser.test.ts), built by Vite, in a real Chromium: its client uses the reference agent over
  a WebSocket, and an agent in a worker over a MessagePort. Chromium comes from npm on Linux on x64; \`CHROME_PATH\` names
  another.
- [An edge worker](../tests/src/release/edge.test.ts) in \`workerd\`, over a WebSocket and over Web Streams.
- [The publish check of JSR](../tests/src/release/jsr.test.ts) for the packages that Deno can use as TypeScript.
- [Agents and clients](../tests/src/release/consumers.test.ts) on Node, Deno and Bun, installed by npm or Bun.
- [Single files](../tests/src/release/one-file.test.ts): bundles for Node and Deno, and executables of Node and Bun.
`;
}

/** `docs/reports/runtimes.md`: all scenarios. */
export function report(): string {
  const lists = [...suites, acrossSuite].map(({ title, scenarios }) => {
    const items = scenarios.map(({ name, except = [], only }) => {
      const titles = except.map((each) => titleOf(each));
      const notes = [
        ...(only === undefined ? [] : [`only on ${titleOf(only)}`]),
        ...(titles.length === 0 ? [] : [`not on ${titles.join(", ")}`]),
      ];
      return `- ${name}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
    });
    return `## ${title}\n\n${items.join("\n")}`;
  });
  return `# Runtimes: what the suites hold

\`npm run matrix\` writes this page; [Runtimes](../runtimes.md) sums it up.

${lists.join("\n\n")}
`;
}

function mark(results: Results, suite: Suite, runtime: RuntimeName, programs: RuntimeName): string {
  const result = results.find(
    ({ cell }) => cell.suite === suite.name && cell.runtime === runtime && cell.programs === programs,
  );
  if (result === undefined) return "";
  return hasPassed(result) ? `✓ ${result.passed.length}` : `✗ ${result.failures.length} failed`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gmu, "    ");
}
