/**
 * `run-scenarios.js --runtime <name> --suite <name> [--programs <name>] [--scenario <part of a name>] [--wine]`: runs
 * scenarios on a runtime, prints a line of JSON for each. `--programs` names the runtime of the programs
 * that the scenarios start, if it is another. `--wine`: this is not Windows itself.
 */
import * as runtime from "#runtime";

import { sleep } from "./check.ts";
import { makeTemporaryDirectory, process, removeDirectory } from "./platform.ts";
import { argument, hasFlag, runtimeArgument } from "./command-line.ts";
import type { RuntimeName } from "../support/runtimes.ts";
import { isFor, type Scenario, type ScenarioOutcome, type System } from "./scenario.ts";
import { hangs } from "../support/hangs.ts";

/** How long a scenario may take without progress: longer than it waits for one event, which says what it was. */
const timeLimit = hangs + 30_000;

async function main(): Promise<void> {
  const name = runtimeArgument();
  const suite: { readonly scenarios: readonly Scenario[] } = await import(`./suites/${argument("suite")}.js`);
  const wanted = hasFlag("scenario") ? argument("scenario") : "";
  const programs = hasFlag("programs") ? runtimeArgument("programs") : name;
  const systems: readonly System[] = [
    ...(process.platform === "win32" ? ["windows" as const] : []),
    ...(hasFlag("wine") ? ["wine" as const] : []),
  ];
  const scenarios = suite.scenarios.filter((each) => each.name.includes(wanted) && isFor(each, programs, systems));
  for (const scenario of scenarios) {
    // One at a time: some look at what processes are there.
    const outcome = await outcomeOf(scenario, programs);
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
  }
}

async function outcomeOf(scenario: Scenario, runtimeName: RuntimeName): Promise<ScenarioOutcome> {
  const directory = await makeTemporaryDirectory();
  let last = performance.now();
  const progress = (): void => void (last = performance.now());
  const tooLong = standsStill(() => last);
  try {
    await Promise.race([scenario.run({ runtime, runtimeName, directory, progress }), tooLong]);
    return { name: scenario.name, ok: true };
  } catch (error) {
    return {
      name: scenario.name,
      ok: false,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  } finally {
    tooLong.catch(() => {});
    await removeDirectory(directory);
  }
}

/** Rejects once the last progress is too long ago. */
async function standsStill(lastProgress: () => number): Promise<never> {
  for (;;) {
    const left = lastProgress() + timeLimit - performance.now();
    if (left <= 0) throw new Error(`Took longer than ${timeLimit} ms`);
    // One progress after another.
    await sleep(left);
  }
}

await main();
// The limits of scenarios that were quicker are still running.
process.exit();
