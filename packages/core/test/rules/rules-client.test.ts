import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { UsageError } from "../../src/base/errors.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import type { ConnectedAgent } from "../../src/v1/connected-agent.ts";

interface Connected {
  readonly peer: RawPeer;
  readonly agent: ConnectedAgent;
  readonly session: ClientSession;
  readonly diagnostics: Diagnostic[];
}

interface Setup {
  readonly handlers?: object;
  readonly capabilities?: object;
  readonly agentCapabilities?: object;
  /** What `session/new` answers beside the id. */
  readonly offers?: object;
  readonly gate?: "diagnose";
}

/** A client with an open session; its agent is played by hand. */
async function connect(setup: Setup = {}): Promise<Connected> {
  const { handlers, capabilities, agentCapabilities, offers, gate } = setup;
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "test-client", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    // Untyped, as they are in JavaScript.
    handlers: { "session/update": () => {}, ...handlers },
    ...(capabilities && { capabilities }),
    ...(gate && { gate }),
  });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  await answer(peer, "initialize", { protocolVersion: 1, agentCapabilities });
  const agent = await connecting;
  if (agent === undefined) throw new Error("not connected");
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { sessionId: "s", ...offers });
  return { peer, agent, session: await opening, diagnostics };
}

async function answer(peer: RawPeer, method: string, result: unknown): Promise<void> {
  const { id } = await peer.next((message) => message["method"] === method);
  peer.send({ jsonrpc: "2.0", id, result });
}

const update = (body: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: body },
});
/** A part of a pointer as it stands in a path. */
const indexed = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part);
const stdio = { name: "tools", args: [], env: [] };

describe("the paths that a client sends", () => {
  it.each([
    ["session/new", { cwd: "project" }, "SESS-18", "/cwd"],
    ["session/new", { cwd: "/a", additionalDirectories: ["b"] }, "SESS-23", "/additionalDirectories/0"],
    ["session/new", { cwd: "/a", mcpServers: [{ ...stdio, command: "npx" }] }, "MCP-07", "/mcpServers/0/command"],
    ["session/load", { sessionId: "s", cwd: "../a" }, "SESS-18", "/cwd"],
    ["session/resume", { sessionId: "s", cwd: "a" }, "SESS-18", "/cwd"],
    ["session/list", { cwd: "a" }, "LIST-02", "/cwd"],
  ] as const)("are never relative: no %s with %j (CONV-02, %s)", async (method, params, _rule, path) => {
    const list = { list: {}, resume: {}, additionalDirectories: {} };
    const { agent, peer } = await connect({ agentCapabilities: { loadSession: true, sessionCapabilities: list } });
    const sent = peer.received.length;
    const call = agent.request(method as "session/new", { mcpServers: [], ...params } as never);
    await expect(call).rejects.toThrow(UsageError);
    await expect(call).rejects.toThrow(path);
    await peer.settle();
    expect(peer.received).toHaveLength(sent);
  });
});

describe("a client that is asked", () => {
  const handlers = {
    "fs/read_text_file": () => ({ content: "" }),
    "fs/write_text_file": () => {},
    "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "yes" } }),
  };
  const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];

  it.each([
    ["fs/read_text_file", { path: "x" }, "FS-07, CONV-02", "/path"],
    ["fs/read_text_file", { path: "/x", line: -1 }, "CONV-03", "/line"],
    ["fs/read_text_file", { path: "/x", line: 0.5 }, "CONV-03", "/line"],
    ["fs/read_text_file", { path: "/x", limit: -1 }, "CONV-03", "/limit"],
    ["fs/write_text_file", { path: "x", content: "" }, "FS-07, CONV-02", "/path"],
  ])("refuses %s with %j (%s)", async (method, params, _rules, path) => {
    const { peer } = await connect({ handlers });
    expect(await peer.call(method, { sessionId: "s", ...params })).toMatchObject({
      error: { code: -32602, data: { path } },
    });
  });

  it.each([
    [{ line: 0, limit: 2001 }, { line: 1, limit: 2001 }, 1],
    [{ line: 0 }, { line: 1 }, 1],
    [{ line: 0, limit: 0 }, { line: 1, limit: 0 }, 1],
    [{ line: -0 }, { line: 1 }, 1],
    [{ line: 1, limit: 0 }, { line: 1, limit: 0 }, 0],
    [{ line: null, limit: null }, { line: null, limit: null }, 0],
  ])("reads %j as %j, and reports a line 0 (CONV-03)", async (range, expected, reported) => {
    const ranges: unknown[] = [];
    const read = ({ line, limit }: { line?: number | null; limit?: number | null }): object => {
      ranges.push({ ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) });
      return { content: "" };
    };
    const { peer, diagnostics } = await connect({ handlers: { "fs/read_text_file": read } });
    expect(await peer.call("fs/read_text_file", { sessionId: "s", path: "/x", ...range })).toHaveProperty("result");
    expect(ranges).toEqual([expected]);
    expect(diagnostics).toMatchObject(
      Array.from({ length: reported }, () => ({ type: "rule", rule: "CONV-03", path: ["line"], sessionId: "s" })),
    );
  });

  it("for permission asks the user, with any paths in it", async () => {
    const { peer, diagnostics } = await connect({ handlers });
    const toolCall = { toolCallId: "c", locations: [{ path: "src/x.ts" }] };
    const params = { sessionId: "s", toolCall, options };
    expect(await peer.call("session/request_permission", params)).toHaveProperty("result.outcome.optionId", "yes");
    expect(diagnostics).toMatchObject([
      {
        type: "rule",
        rule: "CONV-02",
        path: ["toolCall", "locations", 0, "path"],
        reason: "expected an absolute path",
        sessionId: "s",
      },
    ]);
  });

  it("chooses only from the offered options, whatever its handler returns (PERM-05)", async () => {
    const { peer, diagnostics } = await connect({ handlers });
    const params = { sessionId: "s", toolCall: { toolCallId: "c" }, options: [{ ...options[0], optionId: "no" }] };
    expect(await peer.call("session/request_permission", params)).toMatchObject({ error: { code: -32603 } });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", error: expect.any(UsageError) }]);
  });

  it("answers -32600 before its initialize was answered, and handles requests right after that answer", async () => {
    const asked: unknown[] = [];
    const client = createClient({
      info: { name: "test-client", version: "1.0.0" },
      handlers: { "_acme/ask": (params) => void asked.push(params) },
    });
    let connecting: Promise<ConnectedAgent> | undefined;
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport);
    });
    const { id } = await peer.next(({ method }) => method === "initialize");
    expect(await peer.call("_acme/ask", 1)).toMatchObject({ error: { code: -32600 } });
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    expect(await peer.call("_acme/ask", 2)).toMatchObject({ result: {} });
    expect(asked).toEqual([2]);
    await (await connecting)?.close();
  });
});

describe("information for a client", () => {
  it.each([
    [{ sessionUpdate: "tool_call", toolCallId: "c", title: "T", locations: [{ path: "x" }] }, "CONV-02"],
    [{ sessionUpdate: "tool_call", toolCallId: "c", title: "T", locations: [{ path: "/x", line: 0 }] }, "CONV-03"],
    [
      { sessionUpdate: "tool_call_update", toolCallId: "c", content: [{ type: "diff", path: "x", newText: "" }] },
      "CONV-02",
    ],
    [{ sessionUpdate: "notice", severity: "info", title: "N" }, "INIT-12"],
    [{ sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" }, "INIT-12"],
  ])("is delivered although it breaks a rule, and the rule is reported: %j", async (body, rule) => {
    const received: unknown[] = [];
    const handlers = { "session/update": (params: { update: unknown }) => void received.push(params.update) };
    const { peer, diagnostics } = await connect({ handlers });
    peer.send(update(body));
    await peer.settle();
    expect(received).toEqual([body]);
    expect(diagnostics).toMatchObject([{ type: "rule", rule, method: "session/update" }]);
  });

  it("in the answer that opens a session is reported with the session, even if the answer does not name it", async () => {
    const { agent, peer, diagnostics } = await connect({ agentCapabilities: { loadSession: true } });
    const loading = agent.loadSession({ sessionId: "l", cwd: "/project" });
    const modes = { currentModeId: "none", availableModes: [{ id: "a", name: "A" }] };
    await answer(peer, "session/load", { modes });
    await loading;
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "MODE-05", method: "session/load", sessionId: "l" }]);
  });

  it("about sessions in relative folders is delivered, and the rule is reported (LIST-09)", async () => {
    const { agent, peer, diagnostics } = await connect({ agentCapabilities: { sessionCapabilities: { list: {} } } });
    const listing = agent.request("session/list", {});
    await answer(peer, "session/list", { sessions: [{ sessionId: "x", cwd: "project" }] });
    expect((await listing).sessions).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "CONV-02" }]);
  });
});

const select = (currentValue: string) => ({
  type: "select",
  id: "model",
  name: "Model",
  currentValue,
  options: [{ value: "a", name: "A" }],
});

describe("the list of choices that a client sees", () => {
  const offers = {
    modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
    configOptions: [select("a"), { type: "boolean", id: "web", name: "Web", currentValue: true }],
  };
  const capabilities = { session: { configOptions: { boolean: {} } } };

  it("limits the values that it can choose (MODE-02, CONF-13)", async () => {
    const { session, peer } = await connect({ offers, capabilities });
    const sent = peer.received.length;
    await expect(session.setMode("dance")).rejects.toThrow(
      'session/set_mode: /modeId: is none of those that are offered, got "dance"; offered: "ask" (MODE-02)',
    );
    await expect(session.setMode("x".repeat(10_000))).rejects.toThrow(
      /, got "x{100,250}…; offered: "ask" \(MODE-02\)$/,
    );
    await expect(session.setConfigOption("model", "z")).rejects.toThrow(/, got "z"; offered: "a" \(CONF-13\)$/);
    await expect(session.setConfigOption("model", true)).rejects.toThrow(/CONF-13/);
    await expect(session.setConfigOption("web", "yes")).rejects.toThrow(/CONF-13/);
    await expect(session.setConfigOption("other", "a")).rejects.toThrow(/CONF-13/);
    await peer.settle();
    expect(peer.received).toHaveLength(sent);
  });

  it("does not limit a client that only diagnoses", async () => {
    const { session, peer, diagnostics } = await connect({ offers, capabilities, gate: "diagnose" });
    const setting = session.setMode("dance");
    await answer(peer, "session/set_mode", {});
    await setting;
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "MODE-02", path: ["modeId"], sessionId: "s" }]);
    // What the agent offers is its own business, also in a log.
    expect(diagnostics[0]?.message).not.toMatch(/ask|dance/);
  });

  it.each([
    [
      { sessionUpdate: "config_option_update", configOptions: [select("z")] },
      "CONF-11",
      "/update/configOptions/0/currentValue",
    ],
    [{ sessionUpdate: "current_mode_update", currentModeId: "dance" }, "MODE-05", "/update/currentModeId"],
    [
      { sessionUpdate: "config_option_update", configOptions: offers.configOptions },
      "CONF-05",
      "/update/configOptions/1/type",
    ],
  ])("is delivered unchanged, with a diagnostic about the mistake: %j", async (body, rule, path) => {
    const { peer, diagnostics, session } = await connect({ offers: { modes: offers.modes } });
    peer.send(update(body));
    await peer.settle();
    expect(diagnostics).toMatchObject([
      { type: "rule", rule, path: path.slice(1).split("/").map(indexed), sessionId: "s" },
    ]);
    const { configOptions, modes } = session;
    expect([configOptions?.length, modes?.currentModeId]).not.toEqual([undefined, "ask"]);
  });

  it("is delivered unchanged, with a diagnostic about the mistake, when it answers a choice", async () => {
    const { peer, diagnostics, session } = await connect({ offers: { configOptions: [select("a")] } });
    const setting = session.setConfigOption("model", "a");
    await answer(peer, "session/set_config_option", { configOptions: [select("z")] });
    expect(await setting).toMatchObject([{ currentValue: "z" }]);
    const path = ["configOptions", 0, "currentValue"];
    expect(diagnostics).toMatchObject([{ type: "rule", method: "session/set_config_option", path, sessionId: "s" }]);
  });
});

describe("a session that was closed", () => {
  it("is closed once: another close() sends nothing, one under way at the same time does not reject", async () => {
    const { session, peer } = await connect({ agentCapabilities: { sessionCapabilities: { close: {} } } });
    const closing = [session.close(), session.close()];
    await answer(peer, "session/close", {});
    const { id } = await peer.next(({ method }) => method === "session/close");
    peer.send({ jsonrpc: "2.0", id, error: { code: -32002, message: "There is no such open session" } });
    await Promise.all(closing);
    const sent = peer.received.length;
    await session.close();
    await peer.settle();
    expect(peer.received).toHaveLength(sent);
  });

  it("is not closed by a close() that the agent refuses", async () => {
    const { session, peer } = await connect({ agentCapabilities: { sessionCapabilities: { close: {} } } });
    const closing = session.close();
    const { id } = await peer.next(({ method }) => method === "session/close");
    peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "Not now" } });
    await expect(closing).rejects.toMatchObject({ code: "request_failed" });
    expect(session.signal.aborted).toBe(false);
  });

  it("takes no prompt, and nothing is sent", async () => {
    const { session, peer } = await connect({ agentCapabilities: { sessionCapabilities: { close: {} } } });
    const closing = session.close();
    await answer(peer, "session/close", {});
    await closing;
    const sent = peer.received.length;
    await expect(session.prompt("Hello").response).rejects.toThrow(/the session has ended/);
    await peer.settle();
    expect(peer.received).toHaveLength(sent);
  });
});

describe("a question to a client", () => {
  const url = { mode: "url", message: "Open", url: "https://example.com/", elicitationId: "e", sessionId: "s" };
  const form = { mode: "form", message: "M", requestedSchema: { type: "object", properties: {} } };
  const capabilities = { elicitation: { form: {}, url: {} } };

  it("belongs to a session or to a request, not to both (ELIC-05)", async () => {
    const { peer } = await connect({ capabilities, handlers: { "elicitation/create": () => ({ action: "cancel" }) } });
    expect(await peer.call("elicitation/create", { ...form, sessionId: "s", requestId: 1 })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await peer.call("elicitation/create", form)).toMatchObject({ error: { code: -32602 } });
    expect(await peer.call("elicitation/create", { ...form, requestId: 1 })).toMatchObject({ result: {} });
  });

  it("by URL has an id that no other one without an answer has (ELIC-17)", async () => {
    const answers: ((answer: object) => void)[] = [];
    const handlers = { "elicitation/create": () => new Promise((resolve) => answers.push(resolve)) };
    const { peer } = await connect({ capabilities, handlers });
    const first = peer.call("elicitation/create", url);
    await peer.settle();
    expect(await peer.call("elicitation/create", url)).toMatchObject({
      error: { code: -32602, data: { path: "/elicitationId" } },
    });
    answers[0]?.({ action: "accept" });
    expect(await first).toMatchObject({ result: { action: "accept" } });
    // Nobody has to say that it is settled, so its id may come again.
    const second = peer.call("elicitation/create", url);
    await peer.settle();
    answers[1]?.({ action: "cancel" });
    expect(await second).toMatchObject({ result: { action: "cancel" } });
  });

  it("is settled once; an unknown id and one that was settled are ignored (ELIC-18, ELIC-21)", async () => {
    const settled: unknown[] = [];
    const { peer, diagnostics } = await connect({
      capabilities,
      handlers: {
        "elicitation/create": () => ({ action: "accept" }),
        "elicitation/complete": (params: object) => void settled.push(params),
      },
    });
    await peer.call("elicitation/create", { ...url, elicitationId: " odd\u0000/id " });
    for (const elicitationId of ["nobody's", " odd\u0000/id ", " odd\u0000/id "]) {
      peer.send({ jsonrpc: "2.0", method: "elicitation/complete", params: { elicitationId } });
    }
    await peer.settle();
    expect(settled).toEqual([{ elicitationId: " odd\u0000/id " }]);
    expect(diagnostics.map((diagnostic) => diagnostic.type === "rule" && diagnostic.rule)).toEqual([
      "ELIC-21",
      "ELIC-21",
    ]);
  });

  it.each(["decline", "cancel"])(
    "is answered %s without content, whatever its handler returns (ELIC-13)",
    async (action) => {
      const { peer } = await connect({
        capabilities,
        handlers: { "elicitation/create": () => ({ action, content: { secret: "x" } }) },
      });
      const { result } = await peer.call("elicitation/create", { ...form, sessionId: "s" });
      expect(result).toEqual({ action });
    },
  );
});
