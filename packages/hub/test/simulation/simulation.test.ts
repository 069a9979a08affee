import process from "node:process";
import { expect, test } from "vitest";

import { type Outcome, simulate } from "./simulate.ts";

/** More seeds: `npm run simulate -- --seeds n`. */
const seeds = process.env["THOROUGH"] === "1" ? 2000 : 100;

/** What a failing test prints. */
function report({ seed, violation, trace }: Outcome): string {
  return [...trace, violation, `Again: npm run simulate -- --seed ${seed}`].join("\n");
}

const title = `nothing is lost, doubled or shown too early, and all comes to its end, in ${seeds} simulated hubs`;
test(title, { timeout: 1_800_000 }, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const outcome = await simulate(seed);
    if (outcome.violation !== undefined) expect.unreachable(report(outcome));
  }
});

test("a seed is repeated exactly", async () => {
  const outcomes = [await simulate(7), await simulate(7)];
  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(outcomes[0]).not.toMatchObject({ steps: (await simulate(8)).steps });
});
