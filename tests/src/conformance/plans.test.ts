import { expect, test } from "vitest";

import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

test("PLAN-01, PLAN-06: an agent reports the plan it makes, each entry with priority and status", async () => {
  const { peer } = referenceAgent();
  await peer.initialize();
  await peer.prompt(await peer.newSession({ cwd: temporaryDirectory() }), "plan");
  const plans = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === "plan");
  expect(plans.length).toBeGreaterThan(0);
  for (const entry of plans.flatMap(({ entries }) => entries)) {
    expect(entry).toEqual({
      content: expect.any(String),
      priority: expect.stringMatching(/^(?:high|medium|low)$/u),
      status: expect.stringMatching(/^(?:pending|in_progress|completed)$/u),
    });
  }
});
