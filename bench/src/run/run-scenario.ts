import type { ContestantName } from "../contestants/contestants.ts";
import { amount, type Scenario } from "../workload/scenario.ts";
import { measure } from "./measure.ts";
import type { Measurement } from "./order.ts";
import type { RuntimeName } from "./runtimes.ts";
import { ratios, spread, type Spread } from "./statistics.ts";

/** What one contestant did in one scenario. */
export interface ContestantResult {
  readonly contestant: ContestantName;
  readonly milliseconds: Spread;
  /** Things done in a second. */
  readonly rate: number;
  /** Time against raw of the same pair. */
  readonly againstRaw: Spread;
  /** Time against this toolkit, of the same pair. */
  readonly againstToolkit: Spread;
  /** The most memory of the client, and of the agent, in bytes: medians. */
  readonly clientPeak: number;
  readonly agentPeak: number;
}

export interface ScenarioResult {
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly aim?: number | undefined;
  readonly ahead?: number | undefined;
  readonly contestants: readonly ContestantResult[];
}

/** Runs a scenario: in each round every contestant once, in fresh processes, in turn first and last. */
export async function runScenario(
  runtime: RuntimeName,
  scenario: Scenario,
  contestants: readonly ContestantName[],
  rounds: number,
): Promise<ScenarioResult> {
  const taken = new Map<ContestantName, Measurement[]>(contestants.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const name of order) taken.get(name)!.push(await measure(runtime, name, scenario));
  }
  const times = (name: ContestantName): number[] => (taken.get(name) ?? []).map(({ milliseconds }) => milliseconds);
  const ours = contestants.find((name) => name.startsWith("toolkit")) ?? "toolkit";
  return {
    name: scenario.name,
    title: scenario.title,
    group: scenario.group,
    aim: scenario.aim,
    ahead: scenario.ahead,
    contestants: contestants.map((contestant) => {
      const own = times(contestant);
      const milliseconds = spread(own);
      return {
        contestant,
        milliseconds,
        rate: (amount(scenario.work) / milliseconds.median) * 1_000,
        againstRaw: ratios(own, times("raw")),
        againstToolkit: ratios(own, times(ours)),
        clientPeak: spread(taken.get(contestant)!.map(({ clientPeak }) => clientPeak)).median,
        agentPeak: spread(taken.get(contestant)!.map(({ agentPeak }) => agentPeak)).median,
      };
    }),
  };
}
