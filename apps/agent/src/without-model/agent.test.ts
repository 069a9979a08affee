import { createClient, createMemoryTransportPair } from "@acp/core";
import { createSessionState, joinText } from "@acp/core/state";
import * as v2 from "@acp/core/v2";
import * as state2 from "@acp/core/v2/state";
import { expect, test, vi } from "vitest";

import { createProject } from "../tools/testing/project.ts";
import { createReferenceAgent } from "./agent.ts";

const info = { name: "test", version: "1" };

test("loading a session again replays the same history", async () => {
  const [clientEnd, agentEnd] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(agentEnd);
  const agent = await createClient({ info }).connect(clientEnd);
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

test("the agent sends its commands after the answer to session/new, and before the answers to session/load and session/resume", async () => {
  const [client, agentEnd] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(agentEnd);
  interface Message {
    readonly id?: number;
    readonly params?: { readonly update: { readonly sessionUpdate: string } };
    readonly result?: { readonly sessionId?: string };
  }
  const received: string[] = [];
  let sessionId: string | undefined;
  client.start({
    message: (text) => {
      const { id, params, result } = JSON.parse(text) as Message;
      sessionId ??= result?.sessionId;
      received.push(id === undefined ? (params?.update.sessionUpdate ?? "") : `answer ${id}`);
    },
    issue: () => {},
    closed: () => {},
  });
  const request = async (id: number, method: string, params: object): Promise<void> => {
    await client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }), "soon");
    await expect.poll(() => received).toContain(`answer ${id}`);
  };
  const setup = { cwd: "/project", mcpServers: [] };
  await request(0, "initialize", { protocolVersion: 1 });
  await request(1, "session/new", setup);
  await expect.poll(() => received).toEqual(["answer 0", "answer 1", "available_commands_update"]);
  await request(3, "session/load", { ...setup, sessionId });
  await request(4, "session/resume", { ...setup, sessionId });
  await client.close();
  expect(received.slice(3)).toEqual(["available_commands_update", "answer 3", "available_commands_update", "answer 4"]);
});

test("resuming a session of version 2 with its history gives the same state as before", async () => {
  const [clientEnd, agentEnd] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(agentEnd);
  const agent = await v2.createClient({ info }).connect(clientEnd);
  const session = await agent.newSession({ cwd: import.meta.dirname });
  const live = state2.createSessionState(session);
  for (const prompt of ["/help", "plan", "run echo hello", "read missing.txt"]) await session.prompt(prompt).finished;
  const snapshot = (store: typeof live) => ({
    items: store.state.timeline.slice().map((item) => ("chunks" in item ? state2.joinText(item.chunks) : item)),
    terminals: store.state.terminals.slice().map(({ output, ...terminal }) => [terminal, state2.terminalText(output)]),
    plan: store.state.plan?.plan,
    options: store.state.configOptions,
  });
  const before = snapshot(live);
  expect(before.terminals).toEqual([
    [expect.objectContaining({ exitStatus: { exitCode: 0, signal: null } }), "hello\n"],
  ]);
  for (let load = 0; load < 3; load++) {
    const replayFrom = { type: "start" } as const;
    const resumed = await agent.resumeSession({ sessionId: session.id, cwd: import.meta.dirname, replayFrom });
    expect(snapshot(state2.createSessionState(resumed))).toEqual(before);
    expect(resumed.availableCommands.map(({ type }) => type)).toContain("command");
  }
  await agent.close();
});

test("the mode code asks before it changes a protected file, and no others", async () => {
  const project = createProject();
  const [clientEnd, agentEnd] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(agentEnd);
  const offered: string[][] = [];
  const client = createClient({
    info,
    handlers: {
      "session/request_permission": ({ toolCall, options }) => {
        offered.push([toolCall.title ?? "", ...options.map(({ kind }) => kind)]);
        return { outcome: { outcome: "selected", optionId: "reject" } };
      },
    },
  });
  const agent = await client.connect(clientEnd);
  const session = await agent.newSession({ cwd: project.path });
  for (const prompt of ["mode code", "write a.txt: text", "write .git/hooks/pre-commit: text"])
    await session.prompt(prompt).response;
  await agent.close();
  expect(offered).toEqual([["Create .git/hooks/pre-commit", "allow_once", "reject_once"]]);
  expect([project.has("a.txt"), project.has(".git")]).toEqual([true, false]);
});

test("commands of its own do not get the usual keys of models", async () => {
  vi.stubEnv("OPENAI_API_KEY", "sk-secret");
  const project = createProject();
  const [clientEnd, agentEnd] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(agentEnd);
  const agent = await createClient({ info }).connect(clientEnd);
  const session = await agent.newSession({ cwd: project.path });
  await session.prompt("run env > variables").response;
  await agent.close();
  vi.unstubAllEnvs();
  expect(project.read("variables")).toContain("PATH=");
  expect(project.read("variables")).not.toContain("sk-secret");
});
