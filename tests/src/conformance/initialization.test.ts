import { createAgent, createClient } from "@acp/core";
import { describe, expect, test } from "vitest";

import { rawAgent, rawClient, startRawAgent } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const terminalHandlers = {
  "terminal/create": () => ({ terminalId: "t" }),
  "terminal/output": () => ({ output: "", truncated: false }),
  "terminal/wait_for_exit": () => ({ exitCode: 0 }),
  "terminal/kill": () => ({}),
  "terminal/release": () => ({}),
};

describe("an agent", () => {
  test("INIT-01: refuses all requests before initialize", async () => {
    const peer = await rawClient(agentThat());
    const early = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
    expect(early.error?.code).toBe(-32600);
    expect((await peer.initialize()).result.protocolVersion).toBe(1);
  });

  test("INIT-03: treats a client without capabilities in its request as one that has none", async () => {
    const peer = await rawClient(
      agentThat(async (_, { client }) => {
        await client.request("fs/read_text_file", { path: "/a" });
        return { stopReason: "end_turn" };
      }),
    );
    await peer.call("initialize", { protocolVersion: 1 });
    await peer.prompt(await peer.newSession());
    expect(peer.calls("fs/read_text_file")).toEqual([]);
  });

  test("INIT-05, INIT-06: answers with the version, its capabilities, its name and its version", async () => {
    const peer = await rawClient(agentThat());
    expect((await peer.initialize()).result).toMatchObject({
      protocolVersion: 1,
      agentCapabilities: {},
      agentInfo: { name: "agent", version: "1.0.0" },
    });
  });

  test("INIT-08: answers with version 1 when that is asked for", async () => {
    const peer = await rawClient(agentThat());
    expect((await peer.call("initialize", { protocolVersion: 1 })).result.protocolVersion).toBe(1);
  });

  test.each([0, 2, 65_535])("INIT-09, ERR-09: answers with its own version when asked for %i", async (asked) => {
    const peer = await rawClient(agentThat());
    const { result, error } = await peer.call("initialize", { protocolVersion: asked });
    expect([result.protocolVersion, error]).toEqual([1, undefined]);
  });

  test("INIT-11, INIT-20: keeps to the version of the first initialize and refuses a second one", async () => {
    const peer = await rawClient(agentThat());
    await peer.initialize();
    expect((await peer.call("initialize", { protocolVersion: 2 })).error?.code).toBe(-32600);
    expect((await peer.prompt(await peer.newSession())).result).toEqual({ stopReason: "end_turn" });
  });

  test.each([
    [{}, []],
    [{ fs: null, terminal: null }, []],
    [{ fs: { readTextFile: false }, terminal: false, elicitation: {} }, []],
    [{ fs: { readTextFile: true } }, ["fs/read_text_file"]],
    [{ elicitation: { form: {} } }, ["elicitation/create"]],
    [{ elicitation: { form: null } }, []],
    [{ terminal: true }, ["terminal/create"]],
  ])("INIT-12: reads the capabilities %j as %j", async (capabilities, expected) => {
    const peer = await rawClient(
      agentThat(async ({ sessionId }, { client }) => {
        await Promise.allSettled([
          client.request("fs/read_text_file", { path: "/a" }),
          client.request("fs/write_text_file", { path: "/a", content: "" }),
          client.request("terminal/create", { command: "true" }),
          client.request("elicitation/create", {
            mode: "form",
            sessionId,
            message: "?",
            requestedSchema: { type: "object", properties: {} },
          }),
        ]);
        return { stopReason: "end_turn" };
      }),
    );
    peer.answerAlways({
      "fs/read_text_file": { content: "" },
      "terminal/create": { terminalId: "t" },
      "elicitation/create": { action: "decline" },
    });
    await peer.prompt(await peer.open(capabilities));
    expect(peer.received.filter(({ id, method }) => id !== undefined && method !== undefined)).toMatchObject(
      expected.map((method) => ({ method })),
    );
  });

  test("INIT-15: advertises its abilities, from its handlers and its declarations", async () => {
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        capabilities: { promptCapabilities: { image: true }, mcpCapabilities: { http: true } },
        handlers: {
          "session/prompt": () => ({ stopReason: "end_turn" }),
          "session/load": () => ({}),
          "session/list": () => ({ sessions: [] }),
          "session/close": () => ({}),
          logout: () => ({}),
        },
      }),
    );
    expect((await peer.initialize()).result.agentCapabilities).toEqual({
      loadSession: true,
      promptCapabilities: { image: true },
      mcpCapabilities: { http: true },
      sessionCapabilities: { list: {}, close: {} },
      auth: { logout: {} },
    });
  });

  test("INIT-16, CHK-01: opens sessions, answers prompts, sends updates and is cancelled", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn, signal }) => {
        await turn.message("working");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      }),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    expect((await peer.next("session/update")).params.sessionId).toBe(sessionId);
    peer.notify("session/cancel", { sessionId });
    expect((await peer.answerTo(prompt)).result).toEqual({ stopReason: "cancelled" });
  });

  test("INIT-17: answers initialize, and authenticate if it offers a login", async () => {
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        authMethods: [{ id: "token", name: "Token" }],
        handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), authenticate: () => ({}) },
      }),
    );
    expect((await peer.initialize()).result.authMethods).toMatchObject([{ id: "token" }]);
    expect((await peer.call("authenticate", { methodId: "token" })).result).toEqual({});
    const offer = { info: { name: "agent", version: "1" }, authMethods: [{ id: "token", name: "Token" }] };
    expect(() => createAgent({ ...offer, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } })).toThrow(
      /authenticate/u,
    );
  });

  test("INIT-19: ignores capabilities that it does not know", async () => {
    let seen: unknown;
    const peer = await rawClient(
      agentThat((_, { client }) => {
        seen = client.capabilities;
        return { stopReason: "end_turn" };
      }),
    );
    const capabilities = { teleport: { range: 5 }, fs: { format: true, readTextFile: true }, terminal: true };
    const { result } = await peer.initialize(capabilities);
    expect(result.protocolVersion).toBe(1);
    expect((await peer.prompt(await peer.newSession())).result).toEqual({ stopReason: "end_turn" });
    // What it knows beside them counts.
    expect(seen).toMatchObject({ fs: { readTextFile: true }, terminal: true });
    expect(peer.diagnostics).toEqual([]);
  });
});

describe("a client", () => {
  test("INIT-01, INIT-02, INIT-04: starts with initialize, its newest version, its name and its version", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    await agent.newSession({ cwd: "/project" });
    expect(peer.received.map(({ method }) => method)).toEqual(["initialize", "session/new"]);
    expect(peer.received[0]?.params).toMatchObject({
      protocolVersion: 1,
      clientInfo: { name: "client", version: "1.0.0" },
    });
  });

  test("INIT-03: sends its capabilities even when it has none", async () => {
    const { peer } = await rawAgent(clientWith());
    expect(peer.received[0]?.params.clientCapabilities).toEqual({});
  });

  test("INIT-14: advertises its services, from its handlers and its declarations", async () => {
    const { peer } = await rawAgent(
      createClient({
        info: { name: "client", version: "1.0.0" },
        capabilities: {
          auth: { terminal: true },
          elicitation: { form: {} },
          session: { configOptions: { boolean: {} } },
        },
        handlers: {
          ...terminalHandlers,
          "fs/read_text_file": () => ({ content: "" }),
          "elicitation/create": () => ({ action: "decline" }),
        },
      }),
    );
    expect(peer.received[0]?.params.clientCapabilities).toEqual({
      fs: { readTextFile: true },
      terminal: true,
      auth: { terminal: true },
      elicitation: { form: {} },
      session: { configOptions: { boolean: {} } },
    });
  });

  test.each([0, 2, 999])("INIT-10: leaves an agent that answers version %i, and reports it", async (version) => {
    const { peer, agent } = await startRawAgent(clientWith());
    peer.reply(await peer.next("initialize"), { protocolVersion: version });
    await expect(agent).rejects.toMatchObject({
      code: "protocol_violation",
      message: expect.stringMatching(/version/u),
    });
    await peer.closed;
  });

  test("INIT-11, INIT-20: initializes once, and continues in the version that was agreed on", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { "session/prompt": { stopReason: "end_turn" } });
    for (const text of ["one", "two"]) await (await agent.newSession({ cwd: "/project" })).prompt(text).response;
    expect(peer.calls("initialize")).toHaveLength(1);
    expect(agent.protocolVersion).toBe(1);
  });

  test.each([
    [{}, []],
    [{ loadSession: false, sessionCapabilities: null }, []],
    [{ sessionCapabilities: { list: null } }, []],
    [{ loadSession: true }, ["session/load"]],
    [{ sessionCapabilities: { list: {} } }, ["session/list"]],
    [{ sessionCapabilities: { resume: {} } }, ["session/resume"]],
  ])("INIT-12: reads the capabilities %j as %j", async (agentCapabilities, expected) => {
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities },
      "session/load": {},
      "session/resume": {},
      "session/list": { sessions: [] },
    });
    await Promise.allSettled([
      agent.loadSession({ sessionId: "s", cwd: "/project" }),
      agent.resumeSession({ sessionId: "s", cwd: "/project" }),
      agent.request("session/list", {}),
    ]);
    expect(peer.received.slice(1).map(({ method }) => method)).toEqual(expected);
  });

  test("INIT-18: answers a permission request even when it has no handler for it", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const params = { sessionId, toolCall: { toolCallId: "call" }, options };
    expect((await peer.call("session/request_permission", params)).result).toEqual({
      outcome: { outcome: "selected", optionId: "no" },
    });
  });

  test("INIT-19: ignores capabilities that it does not know", async () => {
    const agentCapabilities = {
      teleport: {},
      loadSession: true,
      sessionCapabilities: { rewind: { depth: 5 }, list: {} },
    };
    const { agent, diagnostics } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities },
    });
    expect((await agent.newSession({ cwd: "/project" })).id).toBe("session-1");
    expect(agent.capabilities).toMatchObject({ loadSession: true, sessionCapabilities: { list: {} } });
    expect(diagnostics).toEqual([]);
  });
});
