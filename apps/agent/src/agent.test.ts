import { createClient, createMemoryTransportPair } from "@acp/core";
import { createSessionState, joinText } from "@acp/core/state";
import * as v2 from "@acp/core/v2";
import * as state2 from "@acp/core/v2/state";
import { expect, test } from "vitest";

import { createReferenceAgent } from "./agent.ts";

const info = { name: "test", version: "1" };

test("a session that is loaded again has the history that it had the first time", async () => {
  const [ours, theirs] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(theirs);
  const agent = await createClient({ info }).connect(ours);
  const session = await agent.newSession({ cwd: "/project" });
  await session.prompt("/help").response;

  const loads: string[][] = [];
  for (let load = 0; load < 3; load++) {
    const loaded = await agent.loadSession({ sessionId: session.id, cwd: "/project" });
    const { timeline } = createSessionState(loaded).state;
    loads.push(timeline.slice().map((item) => ("chunks" in item ? joinText(item.chunks) : item.type)));
  }
  await agent.close();
  expect(loads[0]).toEqual(["/help", expect.stringContaining("/fix")]);
  expect(loads.slice(1)).toEqual([loads[0], loads[0]]);
});

test("a session of version 2 that is resumed with its history has the state that it had live", async () => {
  const [ours, theirs] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(theirs);
  const agent = await v2.createClient({ info }).connect(ours);
  const session = await agent.newSession({ cwd: import.meta.dirname });
  const live = state2.createSessionState(session);
  for (const prompt of ["/help", "plan", "run echo hello", "read missing.txt"]) await session.prompt(prompt).finished;
  const shown = (store: typeof live) => ({
    items: store.state.timeline.slice().map((item) => ("chunks" in item ? state2.joinText(item.chunks) : item)),
    terminals: store.state.terminals.slice().map(({ output, ...terminal }) => [terminal, state2.terminalText(output)]),
    plan: store.state.plan?.plan,
    options: store.state.configOptions,
  });
  const before = shown(live);
  expect(before.terminals).toEqual([
    [expect.objectContaining({ exitStatus: { exitCode: 0, signal: null } }), "hello\n"],
  ]);
  for (let load = 0; load < 3; load++) {
    const replayFrom = { type: "start" } as const;
    const resumed = await agent.resumeSession({ sessionId: session.id, cwd: import.meta.dirname, replayFrom });
    expect(shown(state2.createSessionState(resumed))).toEqual(before);
    expect(resumed.availableCommands.map(({ type }) => type)).toContain("command");
  }
  await agent.close();
});
