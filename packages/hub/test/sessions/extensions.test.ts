import { RequestError } from "@acp/core";
import { expect, test, vi } from "vitest";

import { createExtensionAgent } from "../support/extension-agent.ts";
import { type RawClient, joinRaw } from "../support/raw-client.ts";
import { ends } from "../support/test-agent.ts";
import { cwd, startHub, type TestHub } from "../support/test-hub.ts";

const words = (text: string): object[] => [{ type: "text", text }];

/** A client that has opened a session. */
async function open(
  { hub }: TestHub,
  version: 1 | 2 = 1,
  capabilities = {},
): Promise<{ readonly client: RawClient; readonly sessionId: string }> {
  const client = await joinRaw(hub, undefined, capabilities, version);
  const { result } = await client.call("session/new", { cwd, mcpServers: [] });
  return { client, sessionId: String(result?.["sessionId"]) };
}

/** Resolves with the first message that it gets of a method. */
async function firstOf(client: RawClient, method: string): Promise<RawClient["received"][number]> {
  return await vi.waitFor(() => client.calls(method)[0] ?? expect.fail(method));
}

test.each([1, 2] as const)(
  "a request of a client of version %i reaches the agent, and its answer the client",
  async (version) => {
    const { agent, got } = createExtensionAgent();
    const { client, sessionId } = await open(startHub(agent), version);
    const offered = client.received[0]?.result?.[version === 1 ? "agentCapabilities" : "capabilities"];
    expect(offered).toMatchObject({ _meta: { "test.example": { echo: true } } });
    const more = {
      list: [1, "\u{1F600}", null],
      deep: { sessionId: "stays" },
      _meta: { trace: "1", "acp-hub": { operationId: "a" } },
    };
    const { result } = await client.call("_test/echo", { sessionId, ...more });
    expect(result).toEqual({
      ...more,
      _meta: { trace: "1" },
      sessionId: expect.not.stringContaining(sessionId) as string,
    });
    client.send({ method: "_test/note", params: { sessionId, x: 1 } });
    await vi.waitFor(() => expect(got.at(-1)).toEqual(["_test/note", { x: 1, sessionId: result?.["sessionId"] }]));
  },
);

test("a client learns what the agent does not have, fails in, or gets for no session", async () => {
  const { agent, got } = createExtensionAgent();
  const { client, sessionId } = await open(startHub(agent));
  expect((await client.call("_test/none", { sessionId })).error).toEqual({
    code: -32601,
    message: "Method not found",
    data: { method: "_test/none" },
  });
  expect((await client.call("_test/fail", { sessionId })).error?.code).toBe(-32603);
  expect((await client.call("_test/echo", {})).error?.code).toBe(-32601);
  expect((await client.call("_test/echo", [1])).error?.code).toBe(-32601);
  expect((await client.call("_test/echo", { sessionId: 7 })).error?.code).toBe(-32601);
  expect((await client.call("_test/echo", { sessionId: "other" })).error?.code).toBe(-32002);
  expect((await client.call("_acp-hub/request", { sessionId, method: "session/prompt" })).error?.code).toBe(-32601);
  client.send({ method: "_test/note", params: { sessionId: "other" } });
  client.send({ method: "_test/note" });
  expect((await client.call("_", { sessionId })).error?.code).toBe(-32601);
  expect(got).toEqual([]);
});

test("an id of any kind is answered as it came", async () => {
  const { agent } = createExtensionAgent();
  const { client, sessionId } = await open(startHub(agent));
  for (const id of [0, -1.5, "", 'a "quoted" \\ id', "_"])
    client.send({ id, method: "_test/echo", params: { sessionId, id } });
  await vi.waitFor(() => expect(client.received.filter(({ result }) => result?.["id"] !== undefined)).toHaveLength(5));
  for (const { id, result } of client.received) if (result?.["id"] !== undefined) expect(result["id"]).toBe(id);
});

test("a request that its client cancels is cancelled at the agent", async () => {
  const { agent, got, cancelled } = createExtensionAgent();
  const { client, sessionId } = await open(startHub(agent));
  client.send({ id: "slow", method: "_test/wait", params: { sessionId } });
  await vi.waitFor(() => expect(got).toHaveLength(1));
  client.send({ method: "$/cancel_request", params: { requestId: "slow" } });
  await vi.waitFor(() => expect(client.received.find(({ id }) => id === "slow")?.error?.code).toBe(-32800));
  await vi.waitFor(() => expect(cancelled).toEqual(["_test/wait"]));
});

test("a request whose client has left goes on, and who sends it again with its key gets its one answer", async () => {
  const { agent, got, cancelled, go } = createExtensionAgent();
  const hub = startHub(agent);
  const { client, sessionId } = await open(hub);
  const params = { sessionId, _meta: { "acp-hub": { operationId: "once" } } };
  client.send({ id: 1, method: "_test/wait", params });
  await vi.waitFor(() => expect(got).toHaveLength(1));
  await client.close();
  const second = await joinRaw(hub.hub);
  await second.call("session/resume", { sessionId, cwd, mcpServers: [] });
  const answer = second.call("_test/wait", params);
  go();
  expect((await answer).result).toEqual({ waited: true });
  expect((await second.call("_test/wait", params)).result).toEqual({ waited: true });
  expect(got).toHaveLength(1);
  expect(cancelled).toEqual([]);
});

test("who may not prompt may not use the agent's extensions", async () => {
  const { agent, got } = createExtensionAgent();
  const { hub, ...rest } = startHub(agent);
  const { client, sessionId } = await open({ hub, ...rest });
  for (const may of ["watch", "answer"] as const) {
    const { token } = await hub.share(sessionId, { may, expires: new Date(Date.now() + 60_000) });
    const guest = await joinRaw(hub, await hub.userOf(token));
    await guest.call("session/load", { sessionId, cwd, mcpServers: [] });
    expect((await guest.call("_test/echo", { sessionId })).error?.code).toBe(-32602);
    guest.send({ method: "_test/note", params: { sessionId } });
  }
  await client.call("_test/echo", { sessionId });
  expect(got.map(([method]) => method)).toEqual(["_test/echo"]);
});

test("a notification of the agent reaches all who watch, in its place, and nobody who comes later", async () => {
  const { agent } = createExtensionAgent();
  const hub = startHub(agent);
  const { client, sessionId } = await open(hub);
  const newer = await joinRaw(hub.hub, undefined, {}, 2);
  await newer.call("session/resume", { sessionId, cwd, mcpServers: [] });
  const { token } = await hub.hub.share(sessionId, { may: "watch", expires: new Date(Date.now() + 60_000) });
  const watcher = await joinRaw(hub.hub, await hub.hub.userOf(token));
  await watcher.call("session/load", { sessionId, cwd, mcpServers: [] });
  await client.call("session/prompt", { sessionId, prompt: words("tell") });
  for (const seen of [client, newer, watcher]) {
    expect((await firstOf(seen, "_test/told")).params).toEqual({ sessionId, words: "hello" });
    await vi.waitFor(() => expect(JSON.stringify(seen.received)).toContain("after"));
    const order = ["before ", '"_test/told"', "after"].map((text) => JSON.stringify(seen.received).indexOf(text));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
  const late = await joinRaw(hub.hub);
  await late.call("session/load", { sessionId, cwd, mcpServers: [] });
  expect(JSON.stringify(late.received)).toContain("after");
  expect(late.received.some(({ method }) => method === "_test/told")).toBe(false);
});

test("a request of the agent is for the client whose prompt runs, and then for any that has the method", async () => {
  const { agent } = createExtensionAgent();
  const hub = startHub(agent);
  const asked: string[] = [];
  const named = (name: string): object => ({
    "_test/name": (params: object) => {
      asked.push(`${name} ${JSON.stringify(params)}`);
      return { name };
    },
  });
  const first = await hub.join();
  const session = await first.agent.newSession({ cwd });
  const second = await hub.join(named("second"));
  const theirs = await second.agent.resumeSession({ sessionId: session.id, cwd });
  const third = await hub.join(named("third"));
  const others = await third.agent.resumeSession({ sessionId: session.id, cwd });
  await others.prompt("ask").response;
  await session.prompt("ask").response;
  await first.until(ends('{\\"name\\":\\"second\\"}'));
  expect(first.text()).toContain('{"name":"third"}');
  const params = JSON.stringify({ sessionId: session.id, why: "to know" });
  expect(asked).toEqual([`third ${params}`, `second ${params}`]);
  await theirs.close();
  await third.leave();
  await session.prompt("ask").response;
  await first.until(ends("RequestError"));
  expect(first.text()).toContain("-32601");
});

test("the error of a client is the answer, and who may only watch is not asked", async () => {
  const { agent, go } = createExtensionAgent();
  const hub = startHub(agent);
  const owner = await hub.join({
    "_test/name": () => {
      throw new RequestError({ code: 4711, message: "Not today" });
    },
  } as object);
  const session = await owner.agent.newSession({ cwd });
  const { token } = await hub.hub.share(session.id, { may: "watch", expires: new Date(Date.now() + 60_000) });
  const asked = vi.fn(() => ({}));
  const watcher = await hub.join({ "_test/name": asked } as object, await hub.hub.userOf(token));
  await watcher.agent.loadSession({ sessionId: session.id, cwd });
  await session.prompt("ask").response;
  expect(owner.text()).toContain("Not today");
  await owner.leave();
  go();
  expect(asked).not.toHaveBeenCalled();
});

test("a request of the agent that is cancelled is withdrawn from the client", async () => {
  const { agent } = createExtensionAgent();
  const hub = startHub(agent);
  const { client, sessionId } = await open(hub);
  const prompted = client.call("session/prompt", { sessionId, prompt: words("ask") });
  const { id } = await firstOf(client, "_test/name");
  client.send({ method: "session/cancel", params: { sessionId } });
  expect((await firstOf(client, "$/cancel_request")).params).toEqual({ requestId: id });
  await prompted;
});

test.each([1, 2] as const)(
  "the end of an elicitation reaches a client of version %i that has it open, and no other",
  async (version) => {
    const { agent, go } = createExtensionAgent();
    const hub = startHub(agent);
    const { client, sessionId } = await open(hub, version, { elicitation: { url: {} } });
    const other = await joinRaw(hub.hub, undefined, { elicitation: { form: {} } });
    await other.call("session/resume", { sessionId, cwd, mcpServers: [] });
    client.send({ id: "p", method: "session/prompt", params: { sessionId, prompt: words("link") } });
    const { id } = await firstOf(client, "elicitation/create");
    client.send({ id, result: { action: "accept" } });
    await vi.waitFor(() => expect(JSON.stringify(other.received)).toContain("opened "));
    go();
    expect((await firstOf(client, "elicitation/complete")).params).toEqual({ elicitationId: "page" });
    await vi.waitFor(() => expect(JSON.stringify(other.received)).toContain('"."'));
    expect(other.received.some(({ method }) => method === "elicitation/complete")).toBe(false);
  },
);
