import { messages, mutated, readSchema, schemaNames } from "@acp/codegen/testing";
import { createClient } from "@acp/core";
import {
  createSessionState,
  initialState,
  joinText,
  reduceSession,
  type SessionState,
  type UnstableTimelineItem,
} from "@acp/core/state";
import { fileSystem, spawnAgent, terminals } from "@acp/node";
import { decode } from "@acp/schema";
import { decodeSessionNotification } from "@acp/schema/v1";
import { decodeSessionNotification as decodeUnstable, type Received as Unstable } from "@acp/schema/v1/unstable";
import * as fc from "fast-check";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

import { sampleProject } from "../support/main-job-programs.ts";

type UnstableState = SessionState<UnstableTimelineItem, Unstable.PromptResponse>;

const info = { name: "state", version: "1.0.0" };
const referenceAgent = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../../apps/agent/dist/main.js", import.meta.url)), "--pace", "0"],
};

/** What is shown, without what depends on the project. */
function outline({ timeline }: Pick<SessionState, "timeline">): string[] {
  return timeline.slice().map((item) => {
    if ("chunks" in item) return `${item.type}: ${joinText(item.chunks).slice(0, 20)}`;
    return item.type === "tool_call" ? `${item.title}: ${item.status}` : item.type;
  });
}

describe("the reference agent, over stdio", () => {
  test("a session that is loaded has the state that it had live (SESS-06)", async () => {
    using project = sampleProject();
    const client = createClient({
      info,
      handlers: {
        ...fileSystem(),
        ...terminals(),
        "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
      },
    });
    const agent = await spawnAgent(client, referenceAgent);
    try {
      const session = await agent.newSession({ cwd: project.path });
      const live = createSessionState(session);
      for (const prompt of ["plan", "read package.json", "fix"]) await session.prompt(prompt).response;
      expect(live.state.turns.slice().map(({ status }) => status)).toEqual(["ended", "ended", "ended"]);
      const loaded = createSessionState(await agent.loadSession({ sessionId: session.id, cwd: project.path }));
      expect(outline(loaded.state)).toEqual(outline(live.state));
      expect(loaded.state.timeline).toEqual(live.state.timeline);
      expect(loaded.state.plan).toEqual(live.state.plan);
      expect(loaded.state.modes).toEqual(live.state.modes);
      expect(outline(live.state)).toEqual(
        expect.arrayContaining(["user_message: fix", "plan", "Read package.json: completed"]),
      );
      expect(live.state.timeline.length).toBeGreaterThan(10);
    } finally {
      await agent.close();
    }
  });
});

describe.each(schemaNames.filter((name) => name.startsWith("v1")))("arbitrary updates of %s", (name) => {
  const isUnstable = name.includes("unstable");
  const valid = messages(readSchema(name))["SessionNotification"] ?? expect.fail();
  // As they come from agents: some are broken, and those that the decoder refuses never arrive.
  const arbitrary = fc.oneof({ weight: 5, arbitrary: valid }, mutated(valid));

  test("make states that can be shown, and the same ones again", () => {
    const types = new Set<string>();
    const check = (notifications: readonly unknown[]): void => {
      const fold = (): SessionState | UnstableState =>
        isUnstable ? unstableState(notifications) : stableState(notifications);
      const state = fold();
      expect(fold()).toEqual(state);
      for (const item of state.timeline) types.add(item.type);
      expect(JSON.parse(JSON.stringify(state.timeline))).toHaveLength(state.timeline.length);
    };
    fc.assert(fc.property(fc.array(arbitrary, { maxLength: 30 }), check), { seed: 20_261_122, numRuns: 200 });
    expect([...types]).toEqual(expect.arrayContaining(["tool_call", "agent_message", "compaction", "unknown"]));
    expect(types.has("subagent")).toBe(isUnstable);
  });
});

function stableState(notifications: readonly unknown[]): SessionState {
  let state: SessionState = initialState();
  for (const notification of notifications) {
    const decoded = decode(decodeSessionNotification, notification);
    if (decoded.ok) state = reduceSession(state, { type: "update", update: decoded.value.update });
  }
  return state;
}

function unstableState(notifications: readonly unknown[]): UnstableState {
  let state: UnstableState = initialState();
  for (const notification of notifications) {
    const decoded = decode(decodeUnstable, notification);
    if (decoded.ok) state = reduceSession(state, { type: "update", update: decoded.value.update });
  }
  return state;
}
