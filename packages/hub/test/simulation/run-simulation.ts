// `npm run simulate -- [--seeds n] [--from n] [--seed n] [--mutants]`: runs all of a hub on a time, a network and an engine that
// a seed decides.
import process from "node:process";
import { parseArgs } from "node:util";

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

if (values.seed !== undefined) show(await simulate(Number(values.seed)));
else {
  let steps = 0,
    prompts = 0,
    entries = 0;
  const begin = performance.now();
  const first = Number(values.from);
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const outcome = await simulate(seed);
    steps += outcome.steps;
    prompts += outcome.prompts;
    entries += outcome.entries;
    if (outcome.violation !== undefined) {
      show(outcome);
      process.exitCode = 1;
      break;
    }
  }
  write(`${steps} steps, ${prompts} prompts, ${entries} entries, ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
