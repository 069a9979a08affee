/**
 * `run-matrix.js [--runtime <name>] [--suite <names>] [--evidence]`: runs every suite on every runtime and every client
 * against every agent, or a part of that. Prints the table; a whole run writes `docs/runtimes.md`. `--evidence` leaves
 * what came of each scenario for the conformance report.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";

import { type Evidence, forgetEvidence, writeEvidence } from "../../conformance/gate/evidence.ts";
import { argument, hasFlag, runtimeArgument } from "../command-line.ts";
import { runtimeNames } from "../runtimes.ts";
import { failures, page, summary, tables } from "./report.ts";
import { type Cell, type CellResult, runCell } from "./run-cell.ts";
import { acrossSuite, suites } from "./suites.ts";

const document = new URL("../../../../docs/runtimes.md", import.meta.url);

/** All cells, the longest suites first, so that none of them is left to the end alone. */
function cells(): readonly Cell[] {
  const longestFirst = suites.toSorted((a, b) => b.scenarios.length - a.scenarios.length);
  const own = longestFirst.flatMap(({ name }) =>
    runtimeNames.map((runtime) => ({ suite: name, runtime, programs: runtime })),
  );
  const across = runtimeNames.flatMap((runtime) =>
    runtimeNames.map((programs) => ({ suite: acrossSuite.name, runtime, programs })),
  );
  return [...own, ...across];
}

async function runAll(wanted: readonly Cell[]): Promise<readonly CellResult[]> {
  const results: CellResult[] = [];
  const left = [...wanted];
  const work = async (): Promise<void> => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
      const { suite } = cell;
      const scenarios = [...suites, acrossSuite].find(({ name }) => name === suite)?.scenarios ?? [];
      const started = performance.now();
      // As many at a time as there are workers.
      const result = await runCell(cell, scenarios);
      results.push(result);
      tell(result, performance.now() - started, wanted.length, results.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, Math.max(2, availableParallelism())) }, work));
  return results;
}

function tell({ cell, failures: failed }: CellResult, milliseconds: number, total: number, done: number): void {
  const name = cell.runtime === cell.programs ? cell.runtime : `${cell.runtime} → ${cell.programs}`;
  const verdict = failed.length === 0 ? "passed" : "FAILED";
  process.stdout.write(
    `[${done}/${total}] ${cell.suite} on ${name}: ${verdict} in ${(milliseconds / 1000).toFixed(1)} s\n`,
  );
}

/** A scenario counts once in every cell that ran it. */
function evidenceOf({ cell, passed, failures: failed }: CellResult): readonly Evidence[] {
  const file = `tests/src/scenarios/${cell.suite}.ts`;
  return [
    ...passed.map((name) => ({ file, name, state: "passed" }) as const),
    ...failed.map(({ name }) => ({ file, name, state: "failed" }) as const),
  ];
}

const all = cells();
const wanted = all.filter(
  ({ suite, runtime, programs }) =>
    (!hasFlag("suite") || argument("suite").split(",").includes(suite)) &&
    (!hasFlag("runtime") || [runtime, programs].includes(runtimeArgument())),
);
if (wanted.length === 0) throw new Error(`No such suite: ${argument("suite")}`);
if (hasFlag("evidence")) forgetEvidence("scenarios");
const results = await runAll(wanted);
if (hasFlag("evidence")) writeEvidence("scenarios", results.flatMap(evidenceOf));
const failed = failures(results);
if (failed !== "") process.stdout.write(`\n${failed}\n`);
process.stdout.write(`\n${tables(results, runtimeNames)}\n\n${summary(results)}\n`);
if (wanted.length === all.length) writeFileSync(document, page(results, runtimeNames));
process.exitCode = failed === "" ? 0 : 1;
