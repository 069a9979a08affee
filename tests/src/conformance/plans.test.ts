import { createPlan } from "@acp/core/agent";
import { createSessionState } from "@acp/core/state";
import { describe, expect, test } from "vitest";

import { rawAgent, type RawClient, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;

/** The plans that a client was told, in order. */
function plansOf(peer: RawClient): readonly (readonly Record<string, string>[])[] {
  const plans = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === "plan");
  return plans.map(({ entries }) => entries as Record<string, string>[]);
}

describe("an agent", () => {
  test("PLAN-01, PLAN-06: reports the plan it makes, each entry with priority and status", async () => {
    const { peer } = referenceAgent();
    await peer.initialize();
    await peer.prompt(await peer.newSession({ cwd: temporaryDirectory() }), "plan");
    expect(plansOf(peer).length).toBeGreaterThan(0);
    for (const entry of plansOf(peer).flat()) {
      expect(entry).toEqual({
        content: expect.any(String),
        priority: expect.stringMatching(/^(?:high|medium|low)$/u),
        status: expect.stringMatching(/^(?:pending|in_progress|completed)$/u),
      });
    }
  });

  test("PLAN-02, PLAN-04, PLAN-05: sends the whole plan with each step, even when steps come and go", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        const plan = await createPlan(turn, ["a", "b"]);
        await plan.next();
        await plan.next();
        await plan.add("c");
        await plan.remove(0);
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    const told = plansOf(peer).map((entries) => entries.map(({ content, status }) => `${content} ${status}`));
    expect(told).toEqual([
      ["a pending", "b pending"],
      ["a in_progress", "b pending"],
      ["a completed", "b in_progress"],
      ["a completed", "b in_progress", "c pending"],
      ["b in_progress", "c pending"],
    ]);
  });
});

describe("a client", () => {
  test("PLAN-03: has the latest plan, and no entries of the one before", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    const entry = (content: string): object => ({ content, priority: "low", status: "pending" });
    for (const entries of [[entry("a"), entry("b")], [entry("c")]]) {
      peer.notify("session/update", { sessionId: session.id, update: { sessionUpdate: "plan", entries } });
    }
    await peer.settle();
    expect([...store.state.timeline]).toEqual([{ type: "plan", entries: [entry("c")] }]);
  });
});
