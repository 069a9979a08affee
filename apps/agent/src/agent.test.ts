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

test("commands are announced before the answer that opens a session again, and after that of a new one", async () => {
  const [client, theirs] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(theirs);
  interface Seen {
    readonly id?: number;
    readonly params?: { readonly update: { readonly sessionUpdate: string } };
    readonly result?: { readonly sessionId?: string };
  }
  const seen: string[] = [];
  let sessionId: string | undefined;
  client.start({
    message: (text) => {
      const { id, params, result } = JSON.parse(text) as Seen;
      sessionId ??= result?.sessionId;
      seen.push(id === undefined ? (params?.update.sessionUpdate ?? "") : `answer ${id}`);
    },
    issue: () => {},
    closed: () => {},
  });
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    await client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }), "soon");
    await expect.poll(() => seen).toContain(`answer ${id}`);
  };
  const setup = { cwd: "/project", mcpServers: [] };
  await ask(0, "initialize", { protocolVersion: 1 });
  await ask(1, "session/new", setup);
  await expect.poll(() => seen).toEqual(["answer 0", "answer 1", "available_commands_update"]);
  await ask(3, "session/load", { ...setup, sessionId });
  await ask(4, "session/resume", { ...setup, sessionId });
  await client.close();
  expect(seen.slice(3)).toEqual(["available_commands_update", "answer 3", "available_commands_update", "answer 4"]);
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
