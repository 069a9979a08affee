import { createClient, createMemoryTransportPair, type Diagnostic } from "@acp/core";
import { describe, expect, test } from "vitest";
import { recordingSink } from "../../core/src/transport/testing/recording-sink.ts";
import { speakGoDialect, type SpeakGoDialectOptions, withGoAgents } from "./index.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Both ends of a transport that speaks the Go dialect: the client's, and the wire. */
function ends(options: SpeakGoDialectOptions = {}) {
  const [near, far] = createMemoryTransportPair();
  const diagnostics: Diagnostic[] = [];
  const client = speakGoDialect(near, { ...options, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const [atClient, atAgent] = [recordingSink(), recordingSink()];
  client.start(atClient);
  far.start(atAgent);
  const parsed = (texts: readonly string[]): unknown[] => texts.map((text) => JSON.parse(text));
  return {
    told: (part: string) => diagnostics.some(({ message }) => message.includes(part)),
    texts: atClient.messages,
    atClient: () => parsed(atClient.messages),
    atAgent: () => parsed(atAgent.messages),
    async toAgent(message: object) {
      await client.send(JSON.stringify({ jsonrpc: "2.0", ...message }), "soon");
      await turn();
    },
    async toClient(message: object | string) {
      await far.send(typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message }), "soon");
      await turn();
    },
  };
}

const prompt = (text: string): object => ({
  id: 5,
  method: "session/prompt",
  params: { sessionId: "s", prompt: [{ type: "text", text }] },
});
const update = (body: object): object => ({ method: "session/update", params: { sessionId: "s", update: body } });

describe("speakGoDialect() reads the answers of Go agents", () => {
  test.each([
    ["1", 1],
    ["v1.4", 1],
    ["0.1", 1],
    ["draft", 1],
    [undefined, 1],
    ["2.0", 2],
  ])("the version %j as %j", async (protocolVersion, version) => {
    const { toAgent, toClient, atClient, told } = ends();
    await toAgent({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
    await toClient({ id: 1, result: { protocolVersion, capabilities: {} } });
    expect(atClient()).toMatchObject([{ id: 1, result: { protocolVersion: version, agentCapabilities: {} } }]);
    expect(told("the version is not 1")).toBe(!["1", "v1.4"].includes(protocolVersion ?? ""));
  });

  test.each([
    [{ result: { stopReason: "endTurn" } }, { result: { stopReason: "end_turn" } }],
    [{ result: { stopReason: "cancelled" } }, { result: { stopReason: "cancelled" } }],
    [{ result: { stopReason: "refusal" } }, { result: { stopReason: "refusal" } }],
    [{ result: { stopReason: "" } }, { result: { stopReason: "end_turn" } }],
    [{}, { result: { stopReason: "end_turn" } }],
    [{ result: { stopReason: "error" } }, { error: { code: -32603 } }],
    [
      { result: { stopReason: "error" }, error: { code: -32603, message: "unknown command" } },
      { error: { code: -32603, message: "unknown command" } },
    ],
    [{ result: { stopReason: "endTurn" }, error: null }, { result: { stopReason: "end_turn" } }],
  ])("the end of a turn %j", async (answer, expected) => {
    const { toAgent, toClient, atClient } = ends();
    await toAgent(prompt("go"));
    await toClient({ id: 5, ...answer });
    expect(atClient()).toMatchObject([{ jsonrpc: "2.0", id: 5, ...expected }]);
    expect(Object.keys(atClient()[0] as object)).toHaveLength(3);
  });

  test("a missing result of any other method as an empty one", async () => {
    const { toAgent, toClient, atClient } = ends();
    await toAgent({ id: "x", method: "_acme/ping" });
    await toClient({ id: "x" });
    expect(atClient()).toEqual([{ jsonrpc: "2.0", id: "x", result: {} }]);
  });

  test("requests of the agent, noise and answers to nothing untouched", async () => {
    const { toClient, texts } = ends();
    const received = [
      "a log line",
      '{ "jsonrpc":"2.0","id":90071992547409931,"method":"fs/read_text_file","params":{} }',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}',
    ];
    for (const text of received) await toClient(text);
    expect(texts).toEqual(received);
  });
});

describe("speakGoDialect() reads updates", () => {
  test.each([
    [{ type: "messageChunk", role: "assistant", chunk: "a" }, "agent_message_chunk", "a"],
    [{ type: "messageChunk", role: "user", chunk: "a" }, "user_message_chunk", "a"],
    [{ type: "messageChunk", role: "system", chunk: "a" }, "agent_message_chunk", "a"],
    [{ type: "messageChunk" }, "agent_message_chunk", ""],
  ])("%j as %s", async (body, sessionUpdate, text) => {
    const { toClient, atClient, told } = ends();
    await toClient(update(body));
    expect(atClient()).toEqual([{ jsonrpc: "2.0", ...update({ sessionUpdate, content: { type: "text", text } }) }]);
    expect(told("unknown role")).toBe("role" in body && body.role === "system");
  });

  test("that are official already untouched, and leaves unknown ones out with a diagnostic", async () => {
    const { toClient, atClient, told } = ends();
    const official = update({ sessionUpdate: "plan", entries: [] });
    await toClient(official);
    await toClient(update({ type: "smoke" }));
    expect(atClient()).toEqual([{ jsonrpc: "2.0", ...official }]);
    expect(told("type of an update is not known")).toBe(true);
  });

  test("of tool calls that fail, that have odd states, and that come again after the turn", async () => {
    const { toAgent, toClient, atClient, told } = ends();
    const call = (status: string): object => update({ type: "toolCall", toolCall: { id: "c", name: "n", status } });
    await toAgent(prompt("go"));
    await toClient(call("error"));
    await toClient(call("melted"));
    await toClient({ id: 5, result: { stopReason: "endTurn" } });
    await toClient(call("running"));
    const seen = atClient().map((message) => (message as { params?: { update: unknown } }).params?.update);
    expect(seen).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "c", title: "n", name: "n", status: "failed" },
      { sessionUpdate: "tool_call_update", toolCallId: "c", title: "n", name: "n" },
      undefined,
      { sessionUpdate: "tool_call", toolCallId: "c#2", title: "n", name: "n", status: "in_progress" },
    ]);
    expect(told("status of a tool call is not known")).toBe(true);
  });

  test.each([
    [{ chunk: "1. one\n2. [x] two\n* three" }, ["one pending", "two completed", "three pending"]],
    [{ entries: [{ content: "a", priority: "low", status: "completed" }], chunk: "b" }, ["a completed"]],
    [{ plan: { entries: [{ content: "c", priority: "low", status: "pending" }] } }, ["c pending"]],
    [{ plan: [{ content: "d", priority: "low", status: "pending" }] }, ["d pending"]],
    [{ entries: null, plan: {}, chunk: "" }, []],
    [{}, []],
  ])("with a plan %j", async (body, entries) => {
    const { toClient, atClient } = ends();
    await toClient(update({ type: "planUpdate", ...body }));
    const [message] = atClient() as { params: { update: { entries: { content: string; status: string }[] } } }[];
    expect(message?.params.update.entries.map(({ content, status }) => `${content} ${status}`)).toEqual(entries);
  });
});

describe("speakGoDialect() leaves out, and tells,", () => {
  test.each([
    [{ type: "planUpdate", entries: ["a"] }, "a plan cannot be read"],
    [{ type: "planUpdate", plan: { steps: ["a"] } }, "a plan cannot be read"],
    [{ type: "planUpdate", chunk: 5 }, "a plan cannot be read"],
    [{ type: "toolCall" }, "neither an id nor a name"],
    [{ type: "toolCall", toolCall: { id: 5, status: "running" } }, "neither an id nor a name"],
  ])("%j", async (body, message) => {
    const { toClient, atClient, told } = ends();
    await toClient(update(body));
    expect(atClient()).toEqual([]);
    expect(told(message)).toBe(true);
  });

  test("but shows a tool call that has a name", async () => {
    const { toClient, atClient, told } = ends();
    await toClient(update({ type: "toolCall", toolCall: { name: "grep", status: "running" } }));
    expect(atClient()).toMatchObject([{ params: { update: { toolCallId: "", title: "grep" } } }]);
    expect(told("a tool call has no id")).toBe(true);
  });
});

describe("speakGoDialect() sends", () => {
  test.each([
    ["/search TODO in\nsrc", { name: "search", input: "TODO in\nsrc" }],
    ["/fix", { name: "fix" }],
    ["/usr/bin/env is broken", undefined],
    ["what is /fix", undefined],
    ["/", undefined],
  ])("%j with the command %j", async (text, command) => {
    const { toAgent, atAgent } = ends();
    await toAgent(prompt(text));
    const [message] = atAgent() as { params: { command?: unknown; prompt: unknown } }[];
    expect(message?.params.command).toEqual(command);
    expect(message?.params.prompt).toEqual([{ type: "text", text }]);
  });

  test("no command that is not one of the agent's, where they are known", async () => {
    const { toAgent, atAgent } = ends({ commands: ["fix"] });
    await toAgent(prompt("/tmp is full"));
    await toAgent(prompt("/fix it"));
    expect(atAgent().map((message) => (message as { params: { command?: unknown } }).params.command)).toEqual([
      undefined,
      { name: "fix", input: "it" },
    ]);
  });

  test("a cancel as a request of its own, whose answer nobody sees, also an error", async () => {
    const { toAgent, toClient, atAgent, atClient, told } = ends();
    await toAgent({ method: "session/cancel", params: { sessionId: "s" } });
    const [request] = atAgent() as { id: unknown; method: string; params: unknown }[];
    expect(request).toMatchObject({ method: "session/cancel", params: { sessionId: "s" } });
    expect(typeof request?.id).toBe("string");
    await toClient({ id: request?.id, error: { code: -32601, message: "Method not found" } });
    expect(atClient()).toEqual([]);
    expect(told("refused to cancel")).toBe(true);
  });

  test("no notification that would be answered, but for those of extensions", async () => {
    const { toAgent, atAgent, told } = ends();
    await toAgent({ method: "$/cancel_request", params: { requestId: 5 } });
    await toAgent({ method: "_acme/tell", params: {} });
    expect(atAgent()).toEqual([{ jsonrpc: "2.0", method: "_acme/tell", params: {} }]);
    expect(told("$/cancel_request")).toBe(true);
  });

  test("the configured version, and nothing without a place in metadata", async () => {
    const { toAgent, atAgent, told } = ends({ protocolVersion: "2024-11" });
    await toAgent({
      id: 1,
      method: "initialize",
      params: { protocolVersion: 1, clientCapabilities: { terminal: true } },
    });
    const mcpServers = [{ name: "m", command: "/m", args: [], env: [] }];
    await toAgent({
      id: 2,
      method: "session/new",
      params: { cwd: "/project", mcpServers, _meta: { workDir: "/x", a: "b" } },
    });
    expect(atAgent()).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2024-11",
          clientInfo: { name: "client", version: "" },
          capabilities: { terminal: true },
        },
      },
      { jsonrpc: "2.0", id: 2, method: "session/new", params: { metadata: { workDir: "/project", a: "b" } } },
    ]);
    expect(told("mcpServers")).toBe(true);
  });
});

test("withGoAgents() tells the listener of the definition, unless there is one of its own or of the connection", async () => {
  const told: string[] = [];
  const to = (name: string) => ({ onDiagnostic: ({ type }: Diagnostic) => void told.push(`${name} ${type}`) });
  const client = createClient({ info: { name: "client", version: "1" }, ...to("definition") });
  for (const [options, ofConnection] of [
    [{}, {}],
    [{}, to("connection")],
    [to("options"), to("connection")],
  ] as const) {
    const [near, far] = createMemoryTransportPair();
    const atAgent = recordingSink();
    far.start(atAgent);
    const connecting = withGoAgents(client, options).connect(near, ofConnection);
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1","capabilities":{"loadSession":true}}}';
    // oxlint-disable-next-line no-await-in-loop
    await turn();
    expect(atAgent.messages).toMatchObject([expect.stringContaining('"id":1')]);
    // oxlint-disable-next-line no-await-in-loop
    await far.send(answer, "soon");
    // oxlint-disable-next-line no-await-in-loop
    await (await connecting).close();
  }
  expect(told).toEqual(["definition translation", "connection translation", "options translation"]);
});
