import type { SessionConfigOption, SessionUpdate } from "@acp/schema/v1";
import { describe, expect, it, vi } from "vitest";
import type { Diagnostic } from "../base/diagnostics.ts";
import { RequestError, UsageError } from "../base/errors.ts";
import { createRawPeer, type RawPeer } from "../../test/support/raw-peer.ts";
import { createAgent } from "./agent.ts";
import type { AgentSession, SessionSetup } from "./agent-session.ts";
import type { AgentTurn } from "./agent-turn.ts";

const info = { name: "test-agent", version: "1.0.0" };

interface Options extends Omit<Parameters<typeof createAgent>[0], "info" | "handlers" | "session"> {
  readonly session?: (setup: SessionSetup) => unknown;
  readonly handlers?: object;
}

/** An agent with a raw peer on the other side. Handlers are untyped, as they are in JavaScript. */
function connect(options: Options = {}): { peer: RawPeer; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), ...options.handlers },
  });
  return { peer: createRawPeer((transport) => agent.connect(transport)), diagnostics };
}

async function initialized(
  options: Options = {},
  clientCapabilities: object = {},
): Promise<{ peer: RawPeer; diagnostics: Diagnostic[]; sessionId: string }> {
  const { peer, diagnostics } = connect(options);
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
  const answer = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  const { sessionId } = answer["result"] as { sessionId: string };
  return { peer, diagnostics, sessionId };
}

const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text", text: "Hello" }] });

describe("createAgent()", () => {
  it("throws when handlers and capabilities contradict each other", () => {
    const handlers = { "session/prompt": () => ({ stopReason: "end_turn" as const }) };
    // @ts-expect-error so does the compiler
    expect(() => createAgent({ info, handlers: {} })).toThrow(UsageError);
    expect(() => createAgent({ info, handlers, capabilities: { loadSession: true } })).toThrow(
      /no handler for session\/load/,
    );
    const typo: typeof handlers = Object.assign({ "session/promt": handlers["session/prompt"] }, handlers);
    expect(() => createAgent({ info, handlers: typo })).toThrow(/did you mean session\/prompt\?/);
    expect(() => createAgent({ info, handlers, authMethods: [{ id: "a", name: "A" }] })).toThrow(/authenticate/);
  });

  it("advertises its handlers' capabilities, merged with declared ones (INIT-15)", async () => {
    const { peer } = connect({
      capabilities: { promptCapabilities: { image: true } },
      handlers: { "session/load": () => {}, "session/list": () => ({ sessions: [] }), "session/close": () => {} },
    });
    const { result } = await peer.call("initialize", { protocolVersion: 1 });
    expect(result).toEqual({
      protocolVersion: 1,
      agentInfo: info,
      authMethods: [],
      agentCapabilities: {
        promptCapabilities: { image: true },
        loadSession: true,
        sessionCapabilities: { list: {}, close: {} },
      },
    });
  });

  it.each([0, 1, 2, 65_535])(
    "answers version 1 when asked for version %i (INIT-08, INIT-09)",
    async (protocolVersion) => {
      const { peer } = connect();
      expect(await peer.call("initialize", { protocolVersion })).toMatchObject({ result: { protocolVersion: 1 } });
    },
  );

  it("refuses calls before initialize, and a second one (INIT-01/agent, INIT-20/agent)", async () => {
    const { peer } = connect();
    expect(await peer.call("session/new", { cwd: "/", mcpServers: [] })).toMatchObject({ error: { code: -32600 } });
    await peer.call("initialize", { protocolVersion: 1 });
    expect(await peer.call("initialize", { protocolVersion: 1 })).toMatchObject({ error: { code: -32600 } });
  });

  it("queues messages sent right after initialize", async () => {
    const { peer } = connect();
    const initialize = peer.call("initialize", { protocolVersion: 1 });
    expect(await peer.call("session/new", { cwd: "/", mcpServers: [] })).toHaveProperty("result.sessionId");
    expect(await initialize).toHaveProperty("result");
  });

  it("offers a terminal login only to clients that can open one (AUTH-03)", async () => {
    const authMethods = [
      { id: "a", name: "A" },
      { type: "terminal" as const, id: "t", name: "T", args: [] },
    ];
    const offered = async (clientCapabilities: object, options: Options = {}) => {
      const { peer, diagnostics } = connect({ authMethods, handlers: { authenticate: () => {} }, ...options });
      const { result } = await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
      return { ids: (result as { authMethods: { id: string }[] }).authMethods.map(({ id }) => id), diagnostics };
    };
    expect(await offered({})).toMatchObject({
      ids: ["a"],
      diagnostics: [{ type: "left-out", method: "initialize", capability: "auth.terminal" }],
    });
    expect(await offered({ auth: { terminal: true } })).toEqual({ ids: ["a", "t"], diagnostics: [] });
    // As everywhere, who only diagnoses sends it.
    expect(await offered({}, { gate: "diagnose" })).toMatchObject({
      ids: ["a", "t"],
      diagnostics: [{ type: "rule", method: "initialize", rule: "AUTH-03" }],
    });
  });

  it("logs in only by a method that was offered (AUTH-05/agent, AUTH-07)", async () => {
    const { peer } = connect({ authMethods: [{ id: "a", name: "A" }], handlers: { authenticate: () => {} } });
    await peer.call("initialize", { protocolVersion: 1 });
    expect(await peer.call("authenticate", { methodId: "a" })).toMatchObject({ result: {} });
    expect(await peer.call("authenticate", { methodId: "b" })).toMatchObject({
      error: { code: -32602, data: { path: "/methodId" } },
    });
  });

  it("tells a client that has to log in how it can (AUTH-08, AUTH-09)", async () => {
    const { peer } = connect({
      authMethods: [{ id: "a", name: "A" }],
      session: () => {
        throw RequestError.authRequired();
      },
      handlers: { authenticate: () => {} },
    });
    await peer.call("initialize", { protocolVersion: 1 });
    expect(await peer.call("session/new", { cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32000, data: { reason: "auth_required", authMethods: [{ id: "a" }] } },
    });
  });

  it("gives each session an id and a state of its own (SESS-02, SESS-03/agent)", async () => {
    const { peer, sessionId } = await initialized({
      session: ({ cwd }) => ({ cwd, count: 0 }),
      handlers: {
        "session/prompt": (_params: unknown, { session }: { session: { state: { count: number } } }) => ({
          stopReason: "end_turn",
          _meta: { count: ++session.state.count },
        }),
      },
    });
    const { result } = await peer.call("session/new", { cwd: "/other", mcpServers: [] });
    const other = (result as { sessionId: string }).sessionId;
    expect(other).not.toBe(sessionId);
    for (const [id, count] of [
      [sessionId, 1],
      [other, 1],
      [sessionId, 2],
    ] as const) {
      expect(await peer.call("session/prompt", prompt(id))).toMatchObject({ result: { _meta: { count } } });
    }
  });

  it("takes ids of its author's making, such as session-1 and session-2 (CHK-09, SESS-02)", async () => {
    let count = 0;
    const { peer, sessionId } = await initialized({ sessionId: () => `session-${++count}` });
    const { result } = await peer.call("session/new", { cwd: "/other", mcpServers: [] });
    expect([sessionId, (result as { sessionId: string }).sessionId]).toEqual(["session-1", "session-2"]);
    expect(await peer.call("session/prompt", prompt("session-2"))).toHaveProperty("result.stopReason", "end_turn");
  });

  it("refuses to open a session under the id of another", async () => {
    const { peer, sessionId } = await initialized({ sessionId: () => "same" });
    expect(await peer.call("session/new", { cwd: "/other", mcpServers: [] })).toMatchObject({
      error: { code: -32603 },
    });
    expect(await peer.call("session/prompt", prompt(sessionId))).toHaveProperty("result.stopReason", "end_turn");
  });

  it("keeps the metadata a session is opened with, and can give it back (CHK-10/agent)", async () => {
    const { peer } = await initialized({
      handlers: {
        "session/new": (_: unknown, { session }: { session: AgentSession }) => ({
          sessionId: session.id,
          _meta: session.meta,
        }),
      },
    });
    const opened = (_meta: unknown) => peer.call("session/new", { cwd: "/project", mcpServers: [], _meta });
    expect(await opened({ branch: "main" })).toMatchObject({ result: { _meta: { branch: "main" } } });
    expect(await opened(null)).toHaveProperty("result._meta", {});
  });

  it("sends updates of a new session only once the client knows its id (CMD-01)", async () => {
    const update: SessionUpdate = { sessionUpdate: "available_commands_update", availableCommands: [] };
    const { peer } = await initialized({
      handlers: {
        "session/new": async (_: unknown, { session }: { session: AgentSession }) => {
          await session.update(update);
          setTimeout(() => void session.update({ ...update, _meta: { later: true } }), 0);
          return { sessionId: "chosen" };
        },
      },
    });
    await peer.settle();
    const afterInitialize = peer.received.slice(1).map(({ result, params }) => result ?? params);
    expect(afterInitialize).toEqual([
      { sessionId: "chosen" },
      { sessionId: "chosen", update },
      { sessionId: "chosen", update: { ...update, _meta: { later: true } } },
    ]);
  });

  it.each([
    { client: {}, kept: ["model"] },
    { client: { session: { configOptions: { boolean: {} } } }, kept: ["web", "model"] },
  ])("offers boolean options only to clients that advertised them: $kept (CONF-05)", async ({ client, kept }) => {
    const configOptions: SessionConfigOption[] = [
      { type: "boolean", id: "web", name: "Web", currentValue: true },
      { type: "select", id: "model", name: "Model", currentValue: "a", options: [{ value: "a", name: "A" }] },
    ];
    const { peer, diagnostics } = connect({
      handlers: {
        "session/new": () => ({ sessionId: "s", configOptions }),
        "session/load": () => ({ configOptions }),
        "session/set_config_option": () => ({ configOptions }),
        "session/prompt": async (_: unknown, { turn }: { turn: AgentTurn }) => {
          await turn.update({ sessionUpdate: "config_option_update", configOptions });
          return { stopReason: "end_turn" };
        },
      },
    });
    await peer.call("initialize", { protocolVersion: 1, clientCapabilities: client });
    const answers = [
      await peer.call("session/new", { cwd: "/", mcpServers: [] }),
      await peer.call("session/set_config_option", { sessionId: "s", configId: "model", value: "a" }),
      await peer.call("session/load", { sessionId: "s", cwd: "/", mcpServers: [] }),
    ];
    await peer.call("session/prompt", prompt("s"));
    const told = [...answers.map(({ result }) => result), peer.received.find(({ method }) => method)?.["params"]];
    const lists = told.map(
      (value) => value as { configOptions?: { id: string }[]; update?: { configOptions: { id: string }[] } },
    );
    const ids = lists.map(({ configOptions: list, update }) =>
      (list ?? update?.configOptions ?? []).map(({ id }) => id),
    );
    expect(ids).toEqual([kept, kept, kept, kept]);
    expect(diagnostics).toHaveLength(kept.length === 2 ? 0 : 4);
  });

  it("answers -32002 for a session that is not open (SESS-26), and ignores a cancel for it (CANC-10)", async () => {
    const { peer } = await initialized();
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "none" } });
    expect(await peer.call("session/prompt", prompt("none"))).toMatchObject({ error: { code: -32002 } });
  });

  it("refuses relative paths (CONV-02/agent)", async () => {
    const { peer } = await initialized();
    expect(await peer.call("session/new", { cwd: "work", mcpServers: [] })).toMatchObject({
      error: { code: -32602, data: { path: "/cwd", reason: "expected an absolute path" } },
    });
    const params = { cwd: "/project", mcpServers: [], additionalDirectories: ["/a", "b"] };
    expect(await peer.call("session/new", params)).toMatchObject({
      error: { code: -32602, data: { path: "/additionalDirectories/1" } },
    });
  });

  it("takes text and links in a prompt, other content only if advertised (PROM-05)", async () => {
    const { peer, sessionId } = await initialized();
    const link = { type: "resource_link", uri: "file:///x", name: "x" };
    const image = { type: "image", data: "", mimeType: "image/png" };
    expect(await peer.call("session/prompt", { sessionId, prompt: [link] })).toHaveProperty("result");
    expect(await peer.call("session/prompt", { sessionId, prompt: [link, image] })).toMatchObject({
      error: { code: -32602, data: { path: "/prompt/1/type" } },
    });
  });

  it("refuses a second prompt while a turn is running (PROM-14/agent)", async () => {
    let finish = (): void => {};
    const handler = () =>
      new Promise((resolve) => {
        finish = () => resolve({ stopReason: "end_turn" });
      });
    const { peer, sessionId } = await initialized({ handlers: { "session/prompt": handler } });
    const first = peer.call("session/prompt", prompt(sessionId));
    expect(await peer.call("session/prompt", prompt(sessionId))).toMatchObject({ error: { code: -32600 } });
    finish();
    expect(await first).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});

describe("a turn", () => {
  it("streams the handler's updates before its answer (UPD-01, PROM-12)", async () => {
    const { peer, sessionId } = await initialized({
      handlers: {
        "session/prompt": async (_params: never, { turn }: { turn: AgentTurn }) => {
          await turn.message("Hello");
          await turn.thought(
            (async function* () {
              yield "a";
              yield "";
              yield "b";
            })(),
          );
          await turn.plan([{ content: "x", priority: "high", status: "pending" }]);
          const call = await turn.toolCall({ title: "Read", kind: "read" });
          await call.complete("done");
          return { stopReason: "end_turn" };
        },
      },
    });
    const answer = await peer.call("session/prompt", prompt(sessionId));
    const updates = peer.received.filter(({ method }) => method === "session/update");
    expect(peer.received.indexOf(answer)).toBe(peer.received.length - 1);
    const bodies = updates.map(({ params }) => (params as { update: Record<string, unknown> }).update);
    expect(bodies).toMatchObject([
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "a" } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "b" } },
      { sessionUpdate: "plan", entries: [{ content: "x" }] },
      { sessionUpdate: "tool_call", title: "Read", kind: "read", status: "in_progress" },
      { sessionUpdate: "tool_call_update", status: "completed", content: [{ type: "content" }] },
    ]);
    expect(bodies[1]?.["messageId"]).toBe(bodies[2]?.["messageId"]);
    expect(bodies[4]?.["toolCallId"]).toBe(bodies[5]?.["toolCallId"]);
  });

  it.each([
    ["TOOL-13", { locations: [{ path: "src/x.ts" }] }, { locations: [{ path: "/project/src/x.ts" }] }],
    ["TOOL-13", { locations: [{ path: "", line: 0 }] }, { locations: [{ path: "/project/" }] }],
    [
      "TOOL-10",
      { content: [{ type: "diff", path: "./../x", newText: "" }] },
      { content: [{ type: "diff", path: "/project/../x", newText: "" }] },
    ],
  ])("shows paths within the session's folder, and no line 0, and tells (%s): %j", async (_rule, parts, shown) => {
    const onUpdate = vi.fn();
    const { peer, sessionId, diagnostics } = await initialized({
      onUpdate,
      handlers: {
        "session/prompt": async (_params: never, { turn }: { turn: AgentTurn }) => {
          const update = { sessionUpdate: "tool_call", toolCallId: "c", title: "T", ...parts };
          await turn.update(update as Parameters<AgentTurn["update"]>[0]);
          return { stopReason: "end_turn" };
        },
      },
    });
    await peer.call("session/prompt", prompt(sessionId));
    const update = { sessionUpdate: "tool_call", toolCallId: "c", title: "T", ...shown };
    expect(peer.received.at(-2)?.["params"]).toEqual({ sessionId, update });
    // The arguments are unchanged.
    expect(JSON.stringify(parts)).not.toContain("project");
    expect(onUpdate.mock.calls[0]?.[0]).toEqual(update);
    expect(diagnostics[0]).toMatchObject({ type: "rule", rule: expect.stringMatching(/^CONV-0[23]$/), sessionId });
  });

  it("rejects updates after its answer with a typed error", async () => {
    let late: Promise<unknown> | undefined;
    const { peer, sessionId } = await initialized({
      handlers: {
        "session/prompt": (_params: never, { turn }: { turn: AgentTurn }) => {
          late = new Promise((resolve) => setTimeout(resolve, 5)).then(() => turn.message("late"));
          return { stopReason: "end_turn" };
        },
      },
    });
    await peer.call("session/prompt", prompt(sessionId));
    await expect(late).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    { update: undefined, got: "undefined" },
    { update: null, got: "null" },
  ])("rejects $update, which is not an update, and does not throw it", async ({ update, got }) => {
    const outcomes: string[] = [];
    const { peer, sessionId } = await initialized({
      handlers: {
        "session/prompt": async (_params: never, { turn }: { turn: AgentTurn }) => {
          const sending = turn.update(update as never);
          outcomes.push(await sending.then(String, String));
          return { stopReason: "end_turn" };
        },
      },
    });
    expect(await peer.call("session/prompt", prompt(sessionId))).toMatchObject({
      result: { stopReason: "end_turn" },
    });
    const expected = "/update: expected an object";
    expect(outcomes).toEqual([`UsageError: session/update: ${expected}, got ${got}`]);
  });

  it("does not send a kind of update the client did not advertise (NOTC-01)", async () => {
    const handlers = {
      "session/prompt": async (_params: never, { turn }: { turn: AgentTurn }) => {
        const error: unknown = await turn
          .update({ sessionUpdate: "notice", severity: "info", title: "x" })
          .catch((thrown: unknown) => thrown);
        return { stopReason: "end_turn", _meta: { code: (error as { code?: string } | undefined)?.code } };
      },
    };
    const without = await initialized({ handlers });
    expect(await without.peer.call("session/prompt", prompt(without.sessionId))).toMatchObject({
      result: { _meta: { code: "missing_capability" } },
    });
    expect(without.peer.received.some(({ method }) => method === "session/update")).toBe(false);
    const withIt = await initialized({ handlers }, { session: { notices: {} } });
    await withIt.peer.call("session/prompt", prompt(withIt.sessionId));
    expect(withIt.peer.received.some(({ method }) => method === "session/update")).toBe(true);
  });

  const untilAborted =
    (fail: (signal: AbortSignal) => unknown) =>
    (_params: never, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(fail(signal) as Error));
      });

  it("has a signal that a copy of the handler's context keeps", async () => {
    const seen: unknown[] = [];
    const { peer, sessionId } = await initialized({
      handlers: {
        "session/prompt": (_params: never, context: { readonly signal: AbortSignal }) => {
          seen.push({ ...context }.signal instanceof AbortSignal, { ...context }.signal === context.signal);
          return { stopReason: "end_turn" };
        },
      },
    });
    await peer.call("session/prompt", prompt(sessionId));
    expect(seen).toEqual([true, true]);
  });

  it("answers cancelled when its handler throws after session/cancel (CANC-05, CANC-06)", async () => {
    const { peer, sessionId, diagnostics } = await initialized({
      handlers: { "session/prompt": untilAborted((signal) => signal.reason) },
    });
    const answer = peer.call("session/prompt", prompt(sessionId));
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(diagnostics).toEqual([]);
  });

  it("reports an error after session/cancel that is not an abort to diagnostics", async () => {
    const { peer, sessionId, diagnostics } = await initialized({
      handlers: { "session/prompt": untilAborted(() => new Error("broken")) },
    });
    const answer = peer.call("session/prompt", prompt(sessionId));
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", method: "session/prompt" }]);
  });

  it("answers -32800 when the prompt is cancelled by $/cancel_request (RCAN-04/agent)", async () => {
    const { peer, sessionId } = await initialized({
      handlers: { "session/prompt": untilAborted((signal) => signal.reason) },
    });
    peer.send({ jsonrpc: "2.0", id: "p", method: "session/prompt", params: prompt(sessionId) });
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "p" } });
    expect(await peer.next(({ id }) => id === "p")).toMatchObject({ error: { code: -32800 } });
  });

  it("is cancelled by session/close, and answered before it (SESS-15)", async () => {
    const ended = vi.fn();
    const { peer, sessionId } = await initialized({
      handlers: {
        "session/prompt": untilAborted((signal) => signal.reason),
        "session/close": (_params: never, { session }: { session: { signal: AbortSignal } }) => {
          session.signal.addEventListener("abort", ended);
        },
      },
    });
    const order: string[] = [];
    const turn = peer.call("session/prompt", prompt(sessionId)).then((message) => {
      order.push("prompt");
      return message;
    });
    expect(await peer.call("session/close", { sessionId }).finally(() => order.push("close"))).toMatchObject({
      result: {},
    });
    expect(await turn).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(peer.received.filter(({ id }) => id !== undefined).slice(-2)).toMatchObject([
      { result: { stopReason: "cancelled" } },
      { result: {} },
    ]);
    expect(ended).toHaveBeenCalledOnce();
    expect(await peer.call("session/prompt", prompt(sessionId))).toMatchObject({ error: { code: -32002 } });
  });

  it("is aborted when the client goes away", async () => {
    let reason: unknown;
    const { peer, sessionId } = await initialized({
      handlers: {
        "session/prompt": untilAborted((signal) => (reason = signal.reason)),
      },
    });
    peer.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: prompt(sessionId) });
    await peer.settle();
    await peer.close();
    await expect.poll(() => reason).toMatchObject({ code: "connection_closed" });
  });
});
