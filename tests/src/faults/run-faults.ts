/**
 * `run-faults.js [--all] [--every <n>] [--runtime <names>] [--side, --version, --framing, --step, --fault <one>] [--page]`:
 * sends a session through every fault of its peer, at every step, and fails if a promise hangs, an error does not say why,
 * or something is left. `--every` runs one cell of n, others on each runtime. `--all` runs every pair of framing and version.
 * A whole run writes `docs/reports/faults.md`; `--page` lets a part do so.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";

import { argument, hasFlag } from "../runtimes/command-line.ts";
import { isRuntimeName, runtimes, type RuntimeName } from "../support/runtimes.ts";
import { allCells, type Cell, cells, nameOf } from "./cell.ts";
import { faultsPage } from "./page.ts";
import type { CellResult } from "./result.ts";
import { runAgentCells } from "./run-agent.ts";
import { runClientCells } from "./run-client.ts";

const page = new URL("../../../docs/reports/faults.md", import.meta.url);

/** Of how many cells one runs on each runtime. Without a factor of 12, each step has a part. */
const every = hasFlag("every") ? Number(argument("every")) : 1;

const defaultRuntimes: readonly RuntimeName[] = ["node24", "deno", "bun"];
const atATime = Math.min(3, Math.max(2, availableParallelism()));

function chosenRuntimes(): readonly RuntimeName[] {
  if (!hasFlag("runtime")) return defaultRuntimes;
  return argument("runtime")
    .split(",")
    .map((name) => {
      if (!isRuntimeName(name)) throw new Error(`No such runtime: ${name}`);
      return name;
    });
}

/** What chooses a part of the cells. */
const parts = ["side", "version", "framing", "step", "fault"] as const;

/** The cells that were asked for; others on each runtime if they are few. */
function chosenCells(offset: number): readonly Cell[] {
  const wanted = (hasFlag("all") ? allCells : cells).filter((cell) =>
    parts.every((name) => !hasFlag(name) || String(cell[name]) === argument(name)),
  );
  return wanted.filter((_, index) => index % every === offset % every);
}

async function runAll(): Promise<{ readonly results: readonly CellResult[]; readonly problems: readonly string[] }> {
  const results: CellResult[] = [];
  const problems: string[] = [];
  const arrived = (result: CellResult): void => {
    results.push(result);
    for (const problem of result.problems) console.log(`${result.runtime}, ${nameOf(result.cell)}: ${problem}`);
  };
  for (const [offset, runtime] of chosenRuntimes().entries()) {
    const begun = performance.now();
    const wanted = chosenCells(offset);
    const of = (side: Cell["side"]): readonly Cell[] => wanted.filter((cell) => cell.side === side);
    // One runtime after the other, each with all workers.
    if (of("client").length > 0) {
      const others = await runClientCells(runtime, of("client"), atATime, arrived);
      problems.push(...others.map((problem) => `${runtime}: ${problem}`));
    }
    await runAgentCells(runtime, of("agent"), atATime, arrived);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${runtimes[runtime].title}: ${wanted.length} cells in ${seconds} s`);
  }
  return { results, problems };
}

const { results, problems } = await runAll();
for (const problem of problems) console.log(problem);
const failed = results.filter((result) => result.problems.length > 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
// Without cells nothing would be proven.
if (failed > 0 || problems.length > 0 || results.length === 0) process.exitCode = 1;
const isWhole = ["every", "all", "runtime", ...parts].every((name) => !hasFlag(name));
if (isWhole || hasFlag("page")) writeFileSync(page, faultsPage(results, defaultRuntimes, every));
