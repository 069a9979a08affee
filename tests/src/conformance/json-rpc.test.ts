import { describe, expect, test } from "vitest";

import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const permission = { toolCall: { toolCallId: "call" }, options: [] };
const cancelled = { outcome: { outcome: "cancelled" } } as const;
const asking = agentThat(async (_, { client }) => {
  await client.request("session/request_permission", permission);
  return { stopReason: "end_turn" };
});
const failing = (): never => {
  throw new Error("broken inside");
};

describe("an agent", () => {
  test("RPC-01: writes nothing but messages of JSON-RPC 2.0", async () => {
    const peer = await rawClient(asking);
    const prompt = peer.startPrompt(await peer.open());
    peer.reply(await peer.next("session/request_permission"), cancelled);
    await peer.answerTo(prompt);
    expect(peer.received.length).toBeGreaterThan(3);
    for (const { jsonrpc } of peer.received) expect(jsonrpc).toBe("2.0");
  });

  test("RPC-02: answers with a result or an error, never with both", async () => {
    const peer = await rawClient(agentThat());
    expect(Object.keys(await peer.initialize()).toSorted()).toEqual(["id", "jsonrpc", "result"]);
    const refused = await peer.call("session/prompt", { sessionId: "nobody's", prompt: [] });
    expect(Object.keys(refused).toSorted()).toEqual(["error", "id", "jsonrpc"]);
    expect(refused.error).toEqual({ code: -32002, message: expect.any(String) });
  });

  test("RPC-03: answers no notification, not even a malformed one", async () => {
    const peer = await rawClient(agentThat(undefined, { _fail: failing }));
    await peer.open();
    const before = peer.received.length;
    peer.notify("_unknown", {});
    peer.notify("session/cancel", { sessionId: 5 });
    peer.notify("session/cancel", {});
    peer.notify("_fail", {});
    peer.notify("session/prompt", {});
    await peer.settle();
    expect(peer.received.length).toBe(before + 1);
  });

  test.each([["0"], ['"0"'], ['""'], ["-7"], ["9007199254740993"], ['"an id"']])(
    "RPC-04: answers a request whose id is %s under just that, also with an error",
    async (id) => {
      const peer = await rawClient(agentThat());
      peer.write(`{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{"protocolVersion":1}}\n`);
      await peer.next(({ result }) => result !== undefined, "an answer");
      peer.write(`{"jsonrpc":"2.0","id":${id},"method":"_unknown","params":{}}\n`);
      await peer.next(({ error }) => error !== undefined, "an error");
      for (const line of peer.lines) expect(line).toMatch(new RegExp(`"id":${id}[,}]`, "u"));
      expect(peer.lines).toHaveLength(2);
    },
  );

  test("RPC-05: has ids that are strings or whole numbers, and answers a request whose id is null", async () => {
    const peer = await rawClient(asking);
    const prompt = peer.startPrompt(await peer.open());
    const question = await peer.next("session/request_permission");
    expect(typeof question.id === "string" || Number.isSafeInteger(question.id)).toBe(true);
    peer.reply(question, cancelled);
    await peer.answerTo(prompt);
    expect(await peer.call("_unknown", {}, null)).toMatchObject({ id: null, error: { code: -32601 } });
  });

  test("RPC-06: takes an id of its client for the client's, though it uses the same", async () => {
    const peer = await rawClient(asking);
    const sessionId = await peer.open();
    const first = peer.startPrompt(sessionId);
    const { id } = await peer.next("session/request_permission");
    const refused = await peer.call("session/set_mode", { sessionId, modeId: "x" }, id);
    expect(refused.error?.code).toBe(-32601);
    expect(peer.answers(first)).toEqual([]);
    peer.send({ id, result: cancelled });
    expect((await peer.answerTo(first)).result).toEqual({ stopReason: "end_turn" });
  });

  test.each(["_unknown", "session/load", "session/unknown", "session/update"])(
    "RPC-07: answers -32601 to %s, which it does not have",
    async (method) => {
      const peer = await rawClient(agentThat());
      await peer.initialize();
      expect((await peer.call(method, {})).error?.code).toBe(-32601);
    },
  );

  test.each([
    ["session/new", {}],
    ["session/new", { cwd: 5, mcpServers: [] }],
    ["session/new", undefined],
    ["session/prompt", { sessionId: "s" }],
    ["session/prompt", { sessionId: "s", prompt: [{ type: "text" }] }],
  ])("RPC-08: answers -32602 to %s with %j", async (method, params) => {
    const peer = await rawClient(agentThat());
    await peer.initialize();
    expect((await peer.call(method, params)).error?.code).toBe(-32602);
  });

  test.each([
    ["{ no JSON", -32700],
    ["42", -32600],
    ['"text"', -32600],
    ["{}", -32600],
  ])("RPC-09: refuses %s, and continues", async (text, code) => {
    const peer = await rawClient(agentThat());
    peer.write(`${text}\n`);
    expect((await peer.answerTo(null)).error?.code).toBe(code);
    expect((await peer.initialize()).result.protocolVersion).toBe(1);
  });

  test("RPC-10: answers -32603 when its handler fails", async () => {
    const peer = await rawClient(agentThat(failing));
    expect((await peer.prompt(await peer.open())).error?.code).toBe(-32603);
  });

  test("RPC-11: answers other requests while a prompt of its own making waits for the client", async () => {
    const peer = await rawClient(asking);
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    const question = await peer.next("session/request_permission");
    expect(await peer.newSession()).not.toBe(sessionId);
    peer.reply(question, cancelled);
    expect((await peer.answerTo(prompt)).result).toEqual({ stopReason: "end_turn" });
  });
});

describe("a client", () => {
  test("RPC-01: writes nothing but messages of JSON-RPC 2.0", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { "session/prompt": { stopReason: "end_turn" } });
    await (await agent.newSession({ cwd: "/project" })).prompt("hi").response;
    await peer.call("session/request_permission", { sessionId: "session-1", ...permission });
    expect(peer.received).toHaveLength(4);
    for (const { jsonrpc } of peer.received) expect(jsonrpc).toBe("2.0");
  });

  test("RPC-02: answers with a result or an error, never with both", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    await agent.newSession({ cwd: "/project" });
    const chosen = await peer.call("session/request_permission", { sessionId: "session-1", ...permission });
    expect(Object.keys(chosen).toSorted()).toEqual(["id", "jsonrpc", "result"]);
    const refused = await peer.call("fs/read_text_file", { sessionId: "session-1", path: "/a" });
    expect(Object.keys(refused).toSorted()).toEqual(["error", "id", "jsonrpc"]);
    expect(refused.error).toMatchObject({ code: -32601, message: expect.any(String) });
  });

  test("RPC-03: answers no notification, not even a malformed one", async () => {
    const { peer } = await rawAgent(clientWith({ "session/update": failing, _fail: failing }));
    const before = peer.received.length;
    peer.notify("_unknown", {});
    peer.notify("session/update", { sessionId: 5 });
    peer.notify("session/update", {});
    peer.notify("_fail", {});
    peer.notify("session/request_permission", {});
    await peer.settle();
    expect(peer.received.length).toBe(before + 1);
  });

  test.each([["0"], ['"0"'], ['""'], ["-7"], ["9007199254740993"], ['"an id"']])(
    "RPC-04: answers a request whose id is %s under just that, also with an error",
    async (id) => {
      const { peer } = await rawAgent(clientWith({ _ask: () => "answered" }));
      peer.write(`{"jsonrpc":"2.0","id":${id},"method":"_ask","params":{}}\n`);
      await peer.next(({ result }) => result === "answered", "an answer");
      peer.write(`{"jsonrpc":"2.0","id":${id},"method":"_unknown","params":{}}\n`);
      await peer.next(({ error }) => error !== undefined, "an error");
      for (const line of peer.lines.slice(-2)) expect(line).toMatch(new RegExp(`"id":${id}[,}]`, "u"));
    },
  );

  test("RPC-05: has ids that are strings or whole numbers, and answers a request whose id is null", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    await agent.newSession({ cwd: "/project" });
    const ids = peer.received.filter(({ method }) => method !== undefined).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(typeof id === "string" || Number.isSafeInteger(id)).toBe(true);
    expect(await peer.call("_unknown", {}, null)).toMatchObject({ id: null, error: { code: -32601 } });
  });

  test("RPC-06: takes an id of its agent for the agent's, though it uses the same", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const { response } = session.prompt("hi");
    const { id } = await peer.next("session/prompt");
    const answer = await peer.call("session/request_permission", { sessionId: session.id, ...permission }, id);
    expect(answer.result).toEqual(cancelled);
    peer.send({ id, result: { stopReason: "end_turn" } });
    expect((await response).stopReason).toBe("end_turn");
  });

  test.each(["_unknown", "fs/read_text_file", "terminal/create", "session/unknown", "session/prompt"])(
    "RPC-07: answers -32601 to %s, which it does not have",
    async (method) => {
      const { peer } = await rawAgent(clientWith());
      expect((await peer.call(method, {})).error?.code).toBe(-32601);
    },
  );

  test.each([{}, { sessionId: "s", toolCall: {}, options: [] }, { sessionId: 5, ...permission }, undefined])(
    "RPC-08: answers -32602 to session/request_permission with %j",
    async (params) => {
      const { peer } = await rawAgent(clientWith());
      expect((await peer.call("session/request_permission", params)).error?.code).toBe(-32602);
    },
  );

  test("RPC-09: continues after lines that are not messages, which on an agent's stdout are noise", async () => {
    const { peer, agent, diagnostics } = await rawAgent(clientWith());
    peer.write('npm warn something\n42\n"text"\n{}\n');
    expect((await agent.newSession({ cwd: "/project" })).id).toBe("session-1");
    expect(diagnostics.map(({ type }) => type)).toEqual(["noise", "noise", "noise", "noise"]);
    // Nothing of it was answered.
    expect(peer.received.map(({ method }) => method)).toEqual(["initialize", "session/new"]);
  });

  test("RPC-10: answers -32603 when its handler fails", async () => {
    const { peer, agent } = await rawAgent(clientWith({ "session/request_permission": failing }));
    await agent.newSession({ cwd: "/project" });
    const answer = await peer.call("session/request_permission", { sessionId: "session-1", ...permission });
    expect(answer.error?.code).toBe(-32603);
  });

  test("RPC-11: answers its agent while its own prompt waits for it", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const { response } = (await agent.newSession({ cwd: "/project" })).prompt("hi");
    const prompt = await peer.next("session/prompt");
    const answer = await peer.call("session/request_permission", { sessionId: "session-1", ...permission });
    expect(answer.result).toEqual(cancelled);
    peer.reply(prompt, { stopReason: "end_turn" });
    expect((await response).stopReason).toBe("end_turn");
  });
});
