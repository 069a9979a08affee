// `npm run simulate -- [--seeds n] [--from n] [--seed n] [--mutants]`: runs all of a hub on a time, a network and an engine that
// a seed decides.
import process from "node:process";
import { parseArgs } from "node:util";

import { findMutant } from "./find-mutant.ts";
import { mutants } from "./mutants.ts";
import { type Outcome, simulate } from "./simulate.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "500" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    mutants: { type: "boolean", default: false },
  },
});

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function show({ seed, violation, trace, steps }: Outcome): void {
  for (const line of trace) write(line);
  write(`seed ${seed}: ${violation ?? "nothing found"}, after ${steps} steps`);
  write(`Again: npm run simulate -- --seed ${seed}`);
}

async function simulateAll(first: number, count: number): Promise<void> {
  const begin = performance.now();
  const sum = { steps: 0, prompts: 0, entries: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(seed);
    for (const name of ["steps", "prompts", "entries"] as const) sum[name] += outcome[name];
    if (outcome.violation === undefined) continue;
    show(outcome);
    process.exitCode = 1;
    break;
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  write(`${sum.steps} steps, ${sum.prompts} prompts and ${sum.entries} entries in ${seconds} s`);
}

async function findAll(count: number): Promise<void> {
  for (const mutant of mutants) {
    const found = await findMutant(mutant, count);
    write(`${mutant.name}\n    ${found === undefined ? "NOT FOUND" : `seed ${found.seed}: ${found.violation}`}`);
    if (found === undefined) process.exitCode = 1;
  }
}

if (values.seed !== undefined) show(await simulate(Number(values.seed)));
else if (values.mutants) await findAll(Number(values.seeds));
else await simulateAll(Number(values.from), Number(values.seeds));
