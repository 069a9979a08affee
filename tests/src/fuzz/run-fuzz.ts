/**
 * `run-fuzz.js --minutes <n> [--target <name>]`: searches inputs that break something, guided by coverage. Inputs that take
 * a new way go to the corpus in `tests/data/fuzz`. `--runs <n>` checks the corpus and as many changed inputs instead, the
 * same ones each time. `--replay <file> --target <name>` checks one input.
 */
import { readFileSync } from "node:fs";
import process from "node:process";

import { argument, hasFlag } from "../runtimes/command-line.ts";
import { runGuided } from "./engine/guided-run.ts";
import { type Failure, failureOf, runShort } from "./engine/short-run.ts";
import type { Target } from "./target.ts";
import { targetNamed, targets } from "./targets/index.ts";

const chosen = hasFlag("target") ? [targetNamed(argument("target"))] : targets;

/** Runs a target as the command line says. */
async function run(target: Target): Promise<Failure | undefined> {
  if (hasFlag("replay")) {
    const file = argument("replay");
    const error = await failureOf(target, new Uint8Array(readFileSync(file)));
    return error === undefined ? undefined : { file, error };
  }
  if (hasFlag("runs")) return runShort(target, Number(argument("runs")));
  const { failure, runs, ways } = await runGuided(target, (Number(argument("minutes")) * 60) / chosen.length);
  console.log(`${target.name}: ${runs} inputs, ${ways} ways through the code`);
  return failure;
}

for (const target of chosen) {
  const begun = performance.now();
  const failure = await run(target);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${target.name}: ${failure === undefined ? "nothing found" : "FAILED"} in ${seconds} s`);
  if (failure === undefined) continue;
  process.exitCode = 1;
  console.log(failure.error);
  console.log(`The input is in ${failure.file}`);
  console.log(`Check it again: npm run fuzz -- --target ${target.name} --replay ${failure.file}`);
}
