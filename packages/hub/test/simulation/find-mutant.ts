import type { Mutant } from "./mutant.ts";
import { type Outcome, simulate } from "./simulate.ts";

/** The first seed that finds a mutant; `undefined` if none of them does. */
export async function findMutant(mutant: Mutant, seeds: number): Promise<Outcome | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const outcome = await simulate(seed, mutant);
    if (outcome.violation !== undefined) return outcome;
  }
  return undefined;
}
