// Calls that the compiler refuses, and that JavaScript makes: what is wrong is told, never how the toolkit is built.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { UsageError } from "../../src/base/errors.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";

const info = { name: "test", version: "1.0.0" };

describe("session.prompt()", () => {
  it.each([
    [undefined, "session/prompt: /prompt: expected a list of content blocks"],
    [{ type: "text", text: "x" }, "session/prompt: /prompt: expected a list of content blocks"],
    [[{ type: "text", text: "x" }, null], "session/prompt: /prompt/1: expected a content block, which has a type"],
    [["x"], "session/prompt: /prompt/0: expected a content block, which has a type"],
  ])("throws for %j, and starts no turn", async (prompt, message) => {
    const { peer, agent } = await connectRawAgent({});
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const session = await opening;
    const events: string[] = [];
    session.observe(({ type }) => events.push(type));
    const sent = peer.received.length;
    expect(() => session.prompt(prompt as never)).toThrow(new UsageError(message));
    await expect(agent.request("session/prompt", { sessionId: "s1", prompt } as never)).rejects.toThrow(
      new UsageError(message),
    );
    await peer.settle();
    expect([events, peer.received.length]).toEqual([["opened"], sent]);
  });
});

describe("agent.newSession()", () => {
  it.each([undefined, null])("asks for no servers where mcpServers is %s", async (mcpServers) => {
    const { peer, agent } = await connectRawAgent({});
    const opening = agent.newSession({ cwd: "/project", mcpServers: mcpServers as undefined });
    const { id, params } = await peer.next(({ method }) => method === "session/new");
    expect(params).toEqual({ cwd: "/project", mcpServers: [] });
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
    await opening;
  });
});

describe("agent.request()", () => {
  it.each([
    "session/new",
    "session/load",
    "session/prompt",
    "session/close",
    "session/set_mode",
    "session/set_config_option",
    "authenticate",
  ] as const)("of %s without params rejects before a byte is sent", async (method) => {
    const { peer, agent } = await connectRawAgent({});
    for (const params of [undefined, null, "x"]) {
      // oxlint-disable-next-line no-await-in-loop
      const error: unknown = await agent.request(method, params as never).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: expect.stringMatching(/^(usage|missing_capability)$/) });
      expect((error as Error).message).toContain(method);
    }
    await peer.settle();
    expect(peer.received).toHaveLength(1);
  });
});

describe("with invalid handlers", () => {
  it("createAgent() names the one that it needs", () => {
    expect(() => createAgent({ info } as never)).toThrow(/needs a handler for session\/prompt/);
  });

  it.each([
    [{ initialize: () => ({}) }, "initialize is handled by the library; it takes no handler"],
    [{ "session/load": "load" }, "The handler for session/load is no function"],
    [{ "_acme/ask": {} }, "The handler for _acme/ask is no function"],
  ])("createAgent() names the mistake in %j", (more, message) => {
    const handlers = { "session/prompt": () => ({ stopReason: "end_turn" }), ...more };
    expect(() => createAgent({ info, handlers } as never)).toThrow(new UsageError(message));
  });

  it("createAgent() takes a handler that is undefined for none", () => {
    const handlers = { "session/prompt": () => ({ stopReason: "end_turn" as const }), "session/load": undefined };
    expect(createAgent({ info, handlers })).toHaveProperty("connect");
  });

  it("createClient() makes a client", () => {
    expect(createClient({} as never)).toHaveProperty("connect");
  });
});

describe("client.connect()", () => {
  it.each([
    ["an agent", createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } }), "object"],
    ["nothing", undefined, "undefined"],
  ])("rejects with %s in place of a transport", async (_, given, got) => {
    const message = `connect takes a transport, got ${got}`;
    await expect(createClient({ info }).connect(given as never)).rejects.toThrow(new UsageError(message));
  });
});

describe("agent.connect()", () => {
  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["ws://host", "string"],
    [{}, "object"],
  ])("throws for %j in place of a transport", (given, got) => {
    const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
    expect(() => agent.connect(given as never)).toThrow(new UsageError(`connect takes a transport, got ${got}`));
  });
});

describe("an option", () => {
  it.each([
    [{ unreadUpdates: { whenFull: 1n } }, "unreadUpdates.whenFull is bigint; expected"],
    [{ unreadUpdates: { maxCount: Symbol("many") } }, "unreadUpdates.maxCount is Symbol(many); expected"],
    [{ stall: { then: 1n } }, "stall.then is bigint; expected"],
    [{ stall: { after: Symbol("late") } }, "stall.after is Symbol(late); expected"],
    [{ maxIncomingRequests: Symbol("all") }, "maxIncomingRequests is Symbol(all); expected"],
  ])("that JSON or a text cannot express is named (%#)", (options, message) => {
    const made = (): unknown => createClient({ info, ...options } as never);
    expect(made).toThrow(UsageError);
    expect(made).toThrow(message);
  });
});

describe("an answer for permission", () => {
  it.each([undefined, {}, { outcome: "cancelled" }])("%j is reported as such (PERM-04)", async (outcome) => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      handlers: { "session/request_permission": () => outcome as never },
    });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    await opening;
    const params = { sessionId: "s1", toolCall: { toolCallId: "t" }, options: [] };
    expect(await peer.call("session/request_permission", params)).toMatchObject({ error: { code: -32603 } });
    const message =
      "The answer of session/request_permission: /result/outcome: expected { outcome, optionId }, or { outcome: 'cancelled' } (PERM-04)";
    expect(diagnostics).toMatchObject([{ type: "handler-failed", error: new UsageError(message) }]);
  });
});

describe("client.request() of an agent", () => {
  it("rejects without params", async () => {
    const errors: unknown[] = [];
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { client }) => {
          const methods = ["fs/read_text_file", "session/request_permission", "elicitation/create"] as const;
          for (const method of methods) {
            // oxlint-disable-next-line no-await-in-loop
            await client.request(method, undefined as never).catch((error: unknown) => errors.push(error));
          }
          return { stopReason: "end_turn" };
        },
      },
    });
    const peer = createRawPeer((transport) => agent.connect(transport));
    const clientCapabilities = { fs: { readTextFile: true }, elicitation: { form: {} } };
    await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
    const { result } = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
    await peer.call("session/prompt", { ...(result as object), prompt: [] });
    expect(errors).toMatchObject([{ code: "usage" }, { code: "usage" }, { code: "usage" }]);
  });
});
