/**
 * `run-matrix.js [--runtime <name>] [--only <names>] [--suite <names>] [--evidence]`: runs every suite on every runtime
 * and every client against every agent, or a part of that: `--runtime` is what one runtime takes part in, `--only` what
 * several do among themselves. Prints the table; a whole run writes `docs/runtimes.md` and its report. `--evidence` records the outcome
 * of each scenario for the conformance report. `--runtime windows-<name>` is its Windows build, by Wine.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";

import { type Evidence, forgetEvidence, writeEvidence } from "../../conformance/gate/evidence.ts";
import { isRuntimeName, type RuntimeName, runtimeNames } from "../../support/runtimes.ts";
import { failures, page, report, summary, tables } from "./report.ts";
import { type Cell, type CellResult, type CellRunner, runCell, runHere } from "./run-cell.ts";
import { isFor } from "../scenario.ts";
import { acrossSuite, suites } from "./suites.ts";
import { prepareWine, runOnWine } from "./wine.ts";

const docs = new URL("../../../../docs/", import.meta.url);

/** All cells in which there is something to run, the longest suites first, so that none of them is left to the end alone. */
function cells({ systems }: CellRunner): readonly Cell[] {
  const longestFirst = suites.toSorted((a, b) => b.scenarios.length - a.scenarios.length);
  const own = longestFirst.flatMap(({ name, scenarios }) =>
    runtimeNames
      .filter((runtime) => scenarios.some((scenario) => isFor(scenario, runtime, systems)))
      .map((runtime) => ({ suite: name, runtime, programs: runtime })),
  );
  const across = runtimeNames.flatMap((runtime) =>
    runtimeNames.map((programs) => ({ suite: acrossSuite.name, runtime, programs })),
  );
  return [...own, ...across];
}

async function runAll(wanted: readonly Cell[], runner: CellRunner, workers: number): Promise<readonly CellResult[]> {
  const results: CellResult[] = [];
  const left = [...wanted];
  const work = async (): Promise<void> => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
      const { suite } = cell;
      const scenarios = [...suites, acrossSuite].find(({ name }) => name === suite)?.scenarios ?? [];
      const started = performance.now();
      // As many at a time as there are workers.
      const result = await runCell(cell, scenarios, runner);
      results.push(result);
      tell(result, performance.now() - started, wanted.length, results.length);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
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
  const file = `tests/src/runtimes/suites/${cell.suite}.ts`;
  return [
    ...passed.map((name) => ({ file, name, state: "passed" }) as const),
    ...failed.map(({ name }) => ({ file, name, state: "failed" }) as const),
  ];
}

/** The runtime of that name. */
function runtimeOf(name: string): RuntimeName {
  if (!isRuntimeName(name)) throw new Error(`No such runtime: ${name}`);
  return name;
}

function isWanted({ suite, runtime, programs }: Cell): boolean {
  if (suiteNames !== undefined && !suiteNames.includes(suite)) return false;
  if (build !== undefined) return runtime === build && programs === build;
  if (only !== undefined) return only.includes(runtime) && only.includes(programs);
  return asked === undefined || [runtime, programs].includes(runtimeOf(asked));
}

const text = { type: "string" } as const;
const options = { runtime: text, only: text, suite: text, evidence: { type: "boolean" } } as const;
const { runtime: asked, evidence: records = false, ...lists } = parseArgs({ options }).values;
const only = lists.only?.split(",").map(runtimeOf);
const suiteNames = lists.suite?.split(",");
const windows = "windows-";
/** The runtime whose Windows build was asked for. */
const build = asked?.startsWith(windows) === true ? runtimeOf(asked.slice(windows.length)) : undefined;
const runner = build === undefined ? runHere : runOnWine;
const all = cells(runner);
const wanted = all.filter(isWanted);
if (wanted.length === 0) throw new Error("There is no such suite or runtime");
if (records) forgetEvidence("scenarios");
if (build !== undefined) prepareWine(build);
const workers = build === undefined ? Math.min(4, Math.max(2, availableParallelism())) : 1;
const results = await runAll(wanted, runner, workers);
if (records) writeEvidence("scenarios", results.flatMap(evidenceOf));
const failed = failures(results);
if (failed !== "") process.stdout.write(`\n${failed}\n`);
const columns = build === undefined ? runtimeNames : [build];
process.stdout.write(`\n${tables(results, columns)}\n\n${summary(results)}\n`);
// Not of a run on another system, whose suites are others.
if (wanted.length === all.length && runner.systems.length === 0) {
  writeFileSync(new URL("runtimes.md", docs), page(results, runtimeNames));
  writeFileSync(new URL("reports/runtimes.md", docs), report());
}
process.exitCode = failed === "" ? 0 : 1;
