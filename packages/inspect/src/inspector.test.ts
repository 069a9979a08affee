import { createAgent, createClient, createMemoryTransportPair } from "@acp/core";
import { type RecordedMessage, recordTransport } from "@acp/record";
import {
  agentOfVersions,
  clientOfVersions,
  createAgent as createAgentV2,
  createClient as createClientV2,
} from "@acp/core/v2";
import { expect, test } from "vitest";

import { inspectRecording } from "./inspect-recording.ts";
import type { Side } from "./inspected.ts";
import { createInspector, type InspectorOptions } from "./inspector.ts";

const info = { name: "x", version: "1.0.0" };
const text = { type: "text", text: "Hello" };

/** What is wrong with each of some messages; the first two are those of `initialize`. */
function findings(
  messages: readonly (readonly [Side, object])[],
  { opening = {}, answer = {}, ...options }: { opening?: object; answer?: object } & InspectorOptions = {},
): string[][] {
  const inspector = createInspector(options);
  const begin: [Side, object][] = [
    ["client", { id: 0, method: "initialize", params: { protocolVersion: 1, ...opening } }],
    ["agent", { id: 0, result: { protocolVersion: 1, ...answer } }],
    ["client", { id: "new", method: "session/new", params: { cwd: "/", mcpServers: [] } }],
    ["agent", { id: "new", result: { sessionId: "s" } }],
  ];
  const all = [...begin, ...messages].map(([from, message]) =>
    inspector.take(from, { jsonrpc: "2.0", ...message }).findings.map(({ path, reason }) => `${path}: ${reason}`),
  );
  expect(all.slice(0, 4).flat()).toEqual([]);
  return all.slice(4);
}

const update = (body: object): [Side, object] => [
  "agent",
  { method: "session/update", params: { sessionId: "s", update: body } },
];

test("createInspector() finds no mistakes in messages of this toolkit's agents and clients", async () => {
  const recording: RecordedMessage[] = [];
  const agent = createAgent({
    info,
    handlers: {
      "session/prompt": async (_params, { turn, client, session }) => {
        const call = await turn.toolCall({ title: "Read", kind: "read" });
        await call.complete((await client.request("fs/read_text_file", { path: `${session.cwd}a` })).content);
        await turn.message("Done");
        return { stopReason: "end_turn" };
      },
      "session/list": () => ({ sessions: [] }),
    },
  });
  const client = createClient({ info, handlers: { "fs/read_text_file": () => ({ content: "text" }) } });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await client.connect(recordTransport(ours, (entry) => recording.push(entry)));
  const session = await connected.newSession({ cwd: "/" });
  await session.prompt("Hello").response;
  await connected.request("session/list", {});
  await connected.close();
  const { messages, wrong, unanswered } = inspectRecording(recording);
  expect(wrong).toEqual([]);
  expect(unanswered).toEqual([]);
  expect(messages.map(({ from, kind, method }) => `${from} ${kind} ${method}`)).toEqual([
    "client request initialize",
    "agent result initialize",
    "client request session/new",
    "agent result session/new",
    "client request session/prompt",
    "agent notification session/update",
    "agent request fs/read_text_file",
    "client result fs/read_text_file",
    "agent notification session/update",
    "agent notification session/update",
    "agent result session/prompt",
    "client request session/list",
    "agent result session/list",
  ]);
});

const old = {
  agent: createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } }),
  client: createClient({ info }),
};
const draft = {
  agent: createAgentV2({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } }),
  client: createClientV2({ info }),
};

test.each([
  ["agents of both versions", 2, agentOfVersions({ v1: old.agent, v2: draft.agent })],
  ["agents of version 1", 1, old.agent],
])("createInspector() goes by the version that both sides agree on (%s)", async (_who, version, agent) => {
  const recording: RecordedMessage[] = [];
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(recordTransport(theirs, (entry) => recording.push(entry)));
  const connected = await clientOfVersions({ v1: old.client, v2: draft.client }).connect(ours);
  expect(connected.version).toBe(version);
  const options = { cwd: "/" };
  if (connected.version === 1) await (await connected.agent.newSession(options)).prompt("Hello").response;
  else await (await connected.agent.newSession(options)).prompt("Hello").finished;
  await connected.agent.close();
  const inspected = inspectRecording(recording);
  expect(inspected.wrong).toEqual([]);
  // By the rules of the other version it would be wrong.
  const changed = recording.map((entry) => {
    const message = entry.message as { readonly result?: { readonly protocolVersion?: number } };
    if (message.result?.protocolVersion === undefined) return entry;
    return { ...entry, message: { ...message, result: { ...message.result, protocolVersion: 3 - version } } };
  });
  expect(inspectRecording(changed).wrong).not.toEqual([]);
});

test("createInspector() reports messages that the other side did not advertise", () => {
  const messages: [Side, object][] = [
    ["agent", { id: 1, method: "terminal/create", params: { sessionId: "s", command: "ls" } }],
    update({ sessionUpdate: "notice", severity: "info", title: "T" }),
    ["client", { id: 1, method: "session/list", params: {} }],
    [
      "client",
      {
        id: 2,
        method: "session/prompt",
        params: { sessionId: "s", prompt: [text, { type: "image", data: "", mimeType: "image/png" }] },
      },
    ],
    [
      "client",
      {
        id: 3,
        method: "session/new",
        params: {
          cwd: "/",
          additionalDirectories: ["/a"],
          mcpServers: [{ type: "http", name: "m", url: "http://m", headers: [] }],
        },
      },
    ],
    ["client", { id: 4, method: "session/set_mode", params: { sessionId: "s", modeId: "m" } }],
    ["client", { id: 5, method: "authenticate", params: { methodId: "m" } }],
    update({
      sessionUpdate: "config_option_update",
      configOptions: [{ type: "boolean", id: "b", name: "B", currentValue: true }],
    }),
  ];
  const needs = (path: string, capability: string, side: Side): string[] => [
    `${path}: needs ${capability}, which the ${side} did not advertise (INIT-12)`,
  ];
  const told = [
    needs("/method", "terminal", "client"),
    needs("/update/sessionUpdate", "session.notices", "client"),
    needs("/method", "sessionCapabilities.list", "agent"),
    needs("/prompt/1/type", "promptCapabilities.image", "agent"),
    [
      ...needs("/mcpServers/0/type", "mcpCapabilities.http", "agent"),
      ...needs("/additionalDirectories", "sessionCapabilities.additionalDirectories", "agent"),
    ],
    needs("/method", "modes in the session's setup answer", "agent"),
    needs("/method", "a login method of type agent", "agent"),
    needs("/update/configOptions/0/type", "session.configOptions.boolean", "client"),
  ];
  expect(findings(messages)).toEqual(told);

  const opening = {
    clientCapabilities: { terminal: true, session: { notices: {}, configOptions: { boolean: {} } } },
  };
  const agentCapabilities = {
    promptCapabilities: { image: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { list: {}, additionalDirectories: {} },
  };
  const answer = { agentCapabilities, authMethods: [{ id: "m", name: "M" }] };
  const rest = findings(messages, { opening, answer });
  expect(rest.flat()).toEqual(needs("/method", "modes in the session's setup answer", "agent"));
});

test("createInspector() reports prompts to sessions that are not open", () => {
  const prompt = (sessionId: string): object => ({ method: "session/prompt", params: { sessionId, prompt: [text] } });
  const messages: [Side, object][] = [
    ["client", { id: 1, ...prompt("other") }],
    ["client", { id: 2, method: "session/load", params: { sessionId: "other", cwd: "/", mcpServers: [] } }],
    ["agent", { id: 2, result: {} }],
    ["client", { id: 3, ...prompt("other") }],
    ["client", { id: 4, method: "session/close", params: { sessionId: "other" } }],
    ["agent", { id: 4, result: {} }],
    ["client", { id: 5, ...prompt("other") }],
    [
      "client",
      { id: 6, method: "session/set_config_option", params: { sessionId: "other", configId: "c", value: "v" } },
    ],
  ];
  const answer = { agentCapabilities: { loadSession: true, sessionCapabilities: { close: {} } } };
  const closed = "/sessionId: names no session that is open on this connection";
  expect(findings(messages, { answer })).toEqual([
    [`${closed} (PROM-01)`],
    [],
    [],
    [],
    [],
    [],
    [`${closed} (PROM-01)`],
    [`${closed} (SESS-26)`],
  ]);
});

test("createInspector() reports messages before initialize", () => {
  const inspector = createInspector();
  const params = { cwd: "/", mcpServers: [] };
  const first = inspector.take("client", { jsonrpc: "2.0", id: 1, method: "session/new", params });
  expect(first.findings).toEqual([{ path: "/method", reason: "comes before initialize (INIT-01)" }]);
  expect(inspector.take("client", { jsonrpc: "2.0", method: "_acme/hello" }).findings).toEqual([]);
});

test("createInspector() accepts unstable features unless configured otherwise", () => {
  const fork = { id: 1, method: "session/fork", params: { sessionId: "s", cwd: "/", mcpServers: [] } };
  const answer = { agentCapabilities: { sessionCapabilities: { fork: {} } } };
  const inspector = (stable: boolean): number => {
    const taking = createInspector({ stable });
    const begin: [Side, object][] = [
      ["client", { id: 0, method: "initialize", params: { protocolVersion: 1 } }],
      ["agent", { id: 0, result: { protocolVersion: 1, ...answer } }],
      ["client", fork],
    ];
    return begin.flatMap(([from, message]) => taking.take(from, { jsonrpc: "2.0", ...message }).findings).length;
  };
  expect(inspector(false)).toBe(0);
  // The capability, and the method.
  expect(inspector(true)).toBe(2);
});

test("an inspected message has its method, the time of its answer, and its missing answer", () => {
  const inspector = createInspector();
  const at = (seconds: number): Date => new Date(seconds * 1_000);
  const params = { protocolVersion: 1 };
  inspector.take("client", { jsonrpc: "2.0", id: 1, method: "initialize", params }, at(1));
  inspector.take("agent", { jsonrpc: "2.0", id: 1, method: "_ping" }, at(2));
  const result = { protocolVersion: 1 };
  expect(inspector.take("agent", { jsonrpc: "2.0", id: 1, result }, at(3))).toEqual({
    time: at(3),
    from: "agent",
    kind: "result",
    method: "initialize",
    id: 1,
    took: 2_000,
    body: result,
    findings: [],
  });
  expect(inspector.unanswered()).toEqual([{ from: "agent", method: "_ping", id: 1, time: at(2) }]);
  const error = { code: -32601, message: "Method not found" };
  const failed = inspector.take("client", { jsonrpc: "2.0", id: 1, error }, at(4));
  expect(failed).toMatchObject({ kind: "error", method: "_ping", took: 2_000, body: error, findings: [] });
  expect(inspector.unanswered()).toEqual([]);
});

test("createInspector() survives invalid messages", () => {
  const inspector = createInspector();
  expect(inspector.take("agent", "hello")).toMatchObject({ kind: "noise", body: "hello" });
  for (const message of [null, 1, [], {}, { jsonrpc: "2.0", id: { a: [] }, method: "x" }, { jsonrpc: "2.0", id: [] }]) {
    expect(inspector.take("agent", message).findings).not.toEqual([]);
  }
});

test("createInspector() holds a client that tries again to the version of that attempt", () => {
  const error = { code: -32602, message: "Invalid params" };
  const older = { protocolVersion: 1, clientCapabilities: {} };
  const newer = { protocolVersion: 2, capabilities: {}, info };
  for (const [first, second] of [
    [newer, older],
    [older, newer],
  ]) {
    const attempts = createInspector();
    const attempt = (from: Side, message: object): unknown =>
      attempts.take(from, { jsonrpc: "2.0", ...message }).findings;
    const { protocolVersion } = second!;
    expect([
      attempt("client", { id: 1, method: "initialize", params: first }),
      attempt("agent", { id: "a", method: "_acme/hello" }),
      attempt("agent", { id: 1, error }),
      attempt("client", { id: 2, method: "initialize", params: second }),
      attempt("agent", { id: 2, result: protocolVersion === 1 ? { protocolVersion } : second }),
      attempt("client", { id: "a", result: {} }),
    ]).toEqual([[], [], [], [], [], []]);
  }
  const inspector = createInspector();
  const take = (from: Side, message: object): unknown => inspector.take(from, { jsonrpc: "2.0", ...message }).findings;
  take("client", { id: 1, method: "initialize", params: older });
  take("agent", { id: 1, result: { protocolVersion: 1 } });
  expect(take("client", { id: 2, method: "initialize", params: older })).toEqual([
    { path: "/method", reason: "was called before: a connection has one initialize (INIT-20)" },
  ]);
});

test("createInspector() knows the components of a chain", () => {
  const inspector = createInspector();
  const messages: [Side, object][] = [
    ["client", { id: 1, method: "proxy/initialize", params: { protocolVersion: 1 } }],
    ["agent", { id: 2, method: "proxy/successor", params: { method: "initialize", params: { protocolVersion: 1 } } }],
    ["client", { id: 2, result: { protocolVersion: 1 } }],
    ["agent", { id: 1, result: { protocolVersion: 1 } }],
    ["client", { id: 3, method: "session/new", params: { cwd: "/", mcpServers: [] } }],
  ];
  const recording = messages.map(([from, message]): RecordedMessage => {
    const direction = from === "client" ? "sent" : "received";
    return { time: "2026-01-01T00:00:00.000Z", direction, message: { jsonrpc: "2.0", ...message } };
  });
  expect(
    messages.map(([from, message]) => inspector.take(from, { jsonrpc: "2.0", ...message }).findings).flat(),
  ).toEqual([]);
  expect(inspectRecording(recording).wrong).toEqual([]);
});

test("createInspector() reports choices that were not offered", () => {
  const option = { type: "boolean", id: "web", name: "Web", currentValue: true };
  const choose = (configId: string): object => ({
    method: "session/set_config_option",
    params: { sessionId: "s", configId, type: "boolean", value: false },
  });
  const opening = { clientCapabilities: { session: { configOptions: { boolean: {} } } } };
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  const params = {
    sessionId: "s",
    toolCall: { toolCallId: "t" },
    options: [{ optionId: "o", name: "O", kind: "allow_once" }],
  };
  const told = findings(
    [
      // It has offered none when it was opened, and does now.
      update({ sessionUpdate: "config_option_update", configOptions: [option] }),
      ["client", { id: 1, ...choose("web") }],
      ["client", { id: 2, ...choose("other") }],
      ["client", { id: 3, method: "session/new", params: { cwd: "/", mcpServers: [] } }],
      ["agent", { id: 3, result: { sessionId: "m", modes } }],
      ["client", { id: 4, method: "session/set_mode", params: { sessionId: "m", modeId: "ask" } }],
      ["client", { id: 5, method: "session/set_mode", params: { sessionId: "m", modeId: "code" } }],
      ["agent", { id: 6, method: "session/request_permission", params }],
      ["client", { id: 6, result: { outcome: { outcome: "selected", optionId: "p" } } }],
      ["agent", { id: 7, method: "session/request_permission", params }],
      ["client", { id: 7, result: { outcome: { outcome: "selected", optionId: "o" } } }],
    ],
    { opening },
  );
  expect(told.flatMap((reasons, index) => reasons.map((reason) => `${index} ${reason}`))).toEqual([
    "2 /configId: names no option of the session (CONF-13)",
    "6 /modeId: names no mode of the session (MODE-02)",
    "8 /outcome/optionId: names no option that was offered (PERM-05)",
  ]);
});

test("inspectRecording() wants a recording from the beginning on", () => {
  expect(() => inspectRecording([])).toThrow("The recording has no initialize");
});
