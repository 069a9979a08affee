// What passes, whichever versions are spoken.
import { readFileSync } from "node:fs";
import { UsageError } from "@acp/core";
import { describe, expect, test } from "vitest";
import { createRawBridge, type RawEnd } from "../testing/raw-bridge.ts";
import { bridgeAgent } from "./bridge-agent.ts";

type Version = 1 | 2;
const info = { name: "n", version: "1" };
const abilities = {
  1: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] },
  2: { protocolVersion: 2, info, capabilities: { session: {} } },
};

/** Opens a connection and the session `s`; `answers` are those of the agent, by method. */
async function open(client: Version, agent: Version, answers: Readonly<Record<string, unknown>> = {}) {
  const ends = createRawBridge();
  ends.agent.onRequest = ({ method = "" }) =>
    ({ initialize: abilities[agent], "session/new": { sessionId: "s" }, ...answers })[method];
  await ends.client.call("initialize", { protocolVersion: client, info, clientCapabilities: {}, capabilities: {} });
  await ends.client.call("session/new", { cwd: "/project", mcpServers: [] });
  return ends;
}

const prompt = { sessionId: "s", prompt: [{ type: "text", text: "Hello" }] };
const methodsAt = ({ received }: RawEnd): (string | undefined)[] => received.map(({ method }) => method);

describe.each([1, 2] as const)("of version %i on both sides", (version) => {
  test("passes updates, requests and answers byte for byte", async () => {
    const { client, agent } = await open(version, version);
    const lines = readFileSync(new URL("../testing/odd-updates.txt", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    for (const update of lines)
      agent.send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":${update}}}`);
    await client.until(() => client.texts.length === lines.length + 2);
    expect(client.texts.slice(2)).toEqual(
      lines.map(
        (update) => `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":${update}}}`,
      ),
    );
    const answer = agent.call("fs/read_text_file", { sessionId: "s", path: "/a", odd: [1] }, 7);
    await client.until(() => methodsAt(client).includes("fs/read_text_file"));
    const asked = client.received.at(-1);
    expect(asked?.params).toEqual({ sessionId: "s", path: "/a", odd: [1] });
    client.send({ id: asked?.id, result: { content: "x", odd: {} } });
    expect(await answer).toMatchObject({ result: { content: "x", odd: {} } });
  });
});

describe.each([
  [1, 2],
  [2, 1],
] as const)("of version %i for an agent of version %i", (clientVersion, agentVersion) => {
  test("passes requests and notifications of extensions both ways, and cancels them", async () => {
    const { client, agent } = await open(clientVersion, agentVersion, { "_acme/a": { a: [1] } });
    expect(await client.call("_acme/a", { x: 1 })).toMatchObject({ result: { a: [1] } });
    client.send({ method: "_acme/tell", params: { y: 2 } });
    await agent.until(() => methodsAt(agent).includes("_acme/tell"));
    agent.send({ method: "_acme/told", params: { z: 3 } });
    await client.until(() => methodsAt(client).includes("_acme/told"));

    const never = client.call("_acme/never", {}, "mine");
    await agent.until(() => methodsAt(agent).includes("_acme/never"));
    const { id } = agent.received.at(-1) ?? {};
    client.send({ method: "$/cancel_request", params: { requestId: "mine" } });
    await agent.until(() => methodsAt(agent).includes("$/cancel_request"));
    expect(agent.received.at(-1)?.params).toEqual({ requestId: id });
    agent.send({ id, error: { code: -32_800, message: "cancelled" } });
    expect(await never).toMatchObject({ error: { code: -32_800 } });
  });

  test("withdraws a question that the agent withdraws", async () => {
    const { client, agent } = await open(clientVersion, agentVersion);
    const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
    const params = { sessionId: "s", title: "?", toolCall: { toolCallId: "c" }, options };
    const asked = agent.call("session/request_permission", params, 5);
    await client.until(() => methodsAt(client).includes("session/request_permission"));
    const { id } = client.received.find(({ method }) => method === "session/request_permission") ?? {};
    agent.send({ method: "$/cancel_request", params: { requestId: 5 } });
    await client.until(() => methodsAt(client).includes("$/cancel_request"));
    expect(client.received.at(-1)?.params).toEqual({ requestId: id });
    client.send({ id, error: { code: -32_800, message: "cancelled" } });
    expect(await asked).toMatchObject({ error: { code: -32_800 } });
  });

  test("refuses a second initialize, and one of a version that nobody speaks", async () => {
    const { client } = await open(clientVersion, agentVersion);
    const initialize = { protocolVersion: clientVersion, info };
    expect(await client.call("initialize", initialize)).toMatchObject({ error: { code: -32_600 } });
    const fresh = createRawBridge();
    expect(await fresh.client.call("initialize", { protocolVersion: 0, info })).toMatchObject({
      error: { code: -32_022, data: { requested: 0, supported: [1, 2] } },
    });
  });
});

test("a session is forked with its settings, in both directions", async () => {
  const older = await open(2, 1, {
    "session/fork": { sessionId: "f", modes: { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] } },
  });
  const server = { type: "stdio", name: "m", command: "/bin/m" };
  expect(await older.client.call("session/fork", { sessionId: "s", cwd: "/", mcpServers: [server] })).toMatchObject({
    result: { sessionId: "f", configOptions: [{ configId: "mode", currentValue: "a" }] },
  });
  expect(older.agent.received.at(-1)?.params).toEqual({
    sessionId: "s",
    cwd: "/",
    mcpServers: [{ name: "m", command: "/bin/m", args: [], env: [] }],
  });
  const newer = await open(1, 2, { "session/fork": { sessionId: "f" } });
  const { type: _, ...untyped } = server;
  const params = { sessionId: "s", cwd: "/", mcpServers: [{ ...untyped, args: [], env: [] }] };
  expect(await newer.client.call("session/fork", params)).toMatchObject({ result: { sessionId: "f" } });
  expect(newer.agent.received.at(-1)?.params).toMatchObject({ mcpServers: [server] });
});

test("an agent of version 1 that cannot repeat a history says so", async () => {
  const { client, agent } = createRawBridge();
  agent.onRequest = ({ method = "" }) =>
    ({
      initialize: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } },
      "session/resume": {},
    })[method];
  await client.call("initialize", { protocolVersion: 2, info });
  await client.call("session/resume", { sessionId: "s", cwd: "/", replayFrom: { type: "start" } });
  expect(methodsAt(agent)).toEqual(["initialize", "session/resume"]);
  const updates = client.received.flatMap(({ params }) => (params as { update?: object } | undefined)?.update ?? []);
  expect(updates).toMatchObject([
    { sessionUpdate: "notice", severity: "info" },
    { sessionUpdate: "state_update", state: "idle" },
  ]);
});

test("two sessions of an agent of version 1 work at the same time", async () => {
  const { client, agent } = await open(2, 1);
  const prompts: unknown[] = [];
  agent.onRequest = ({ id, params }) => void prompts.push([id, params]);
  const turns = ["s1", "s2"].map((sessionId) => client.call("session/prompt", { ...prompt, sessionId }));
  await agent.until(() => prompts.length === 2);
  const [first, second] = prompts as [unknown, { sessionId: string }][];
  agent.send({ id: second?.[0], result: { stopReason: "refusal" } });
  agent.send({ id: first?.[0], result: { stopReason: "end_turn" } });
  await Promise.all(turns);
  await client.until(() => JSON.stringify(client.received).match(/"idle"/gu)?.length === 2);
  const ends = client.received.flatMap(({ params }) => {
    const { sessionId, update } = (params ?? {}) as {
      sessionId?: string;
      update?: { state?: string; stopReason?: string };
    };
    return update?.state === "idle" ? [[sessionId, update.stopReason]] : [];
  });
  expect(ends).toEqual([
    ["s2", "refusal"],
    ["s1", "end_turn"],
  ]);
});

test("a cancelled request of a prompt cancels its turn at an agent of version 2", async () => {
  const { client, agent } = await open(1, 2, { "session/prompt": { messageId: "u" } });
  const answer = client.call("session/prompt", prompt, "p");
  await agent.until(() => methodsAt(agent).includes("session/prompt"));
  const update = (state: object): void =>
    agent.send({
      method: "session/update",
      params: { sessionId: "s", update: { sessionUpdate: "state_update", ...state } },
    });
  update({ state: "running" });
  client.send({ method: "$/cancel_request", params: { requestId: "p" } });
  await agent.until(() => methodsAt(agent).includes("session/cancel"));
  update({ state: "idle", stopReason: "cancelled" });
  expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
});

test("10,000 chunks of a tool call reach a client of version 1 in a few updates", async () => {
  const { client, agent } = await open(1, 2, { "session/prompt": { messageId: "u" } });
  const answer = client.call("session/prompt", prompt);
  await agent.until(() => methodsAt(agent).includes("session/prompt"));
  const update = (one: object): void =>
    agent.send({ method: "session/update", params: { sessionId: "s", update: one } });
  update({ sessionUpdate: "state_update", state: "running" });
  const content = { type: "content", content: { type: "text", text: "x" } };
  for (let count = 0; count < 10_000; count++)
    update({ sessionUpdate: "tool_call_content_chunk", toolCallId: "c", content });
  update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  const updates = client.received.filter(({ method }) => method === "session/update");
  const last = updates.at(-1)?.params as { readonly update: { readonly content: readonly unknown[] } };
  expect(last.update.content).toHaveLength(10_000);
  expect(updates.length).toBeLessThan(100);
});

test("bridgeAgent() needs a connection to an agent", () => {
  expect(() => bridgeAgent({} as never)).toThrow(UsageError);
  expect(() => bridgeAgent({ connect: () => ({}) as never, maxIncomingRequests: -1 })).toThrow(UsageError);
});
