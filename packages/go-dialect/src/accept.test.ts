import { createMemoryTransportPair, type Diagnostic } from "@acp/core";
import { describe, expect, test } from "vitest";
import { recordingSink } from "../../core/src/transport/testing/recording-sink.ts";
import { acceptGoDialect, type AcceptGoDialectOptions } from "./index.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Both ends of a transport that accepts the Go dialect: the agent's, and the wire. */
function ends(options: AcceptGoDialectOptions = {}) {
  const [near, far] = createMemoryTransportPair();
  const diagnostics: Diagnostic[] = [];
  const agent = acceptGoDialect(near, { ...options, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const [atAgent, atClient] = [recordingSink(), recordingSink()];
  agent.start(atAgent);
  far.start(atClient);
  const parsed = (texts: readonly string[]): unknown[] => texts.map((text) => JSON.parse(text));
  return {
    diagnostics,
    atAgent: () => parsed(atAgent.messages),
    atClient: () => parsed(atClient.messages),
    texts: atAgent.messages,
    wire: atClient.messages,
    async toAgent(text: string) {
      await far.send(text, "soon");
      await turn();
    },
    async toClient(message: object) {
      await agent.send(JSON.stringify({ jsonrpc: "2.0", ...message }), "soon");
      await turn();
    },
  };
}

const initialize = (params: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
const goInitialize = initialize({ protocolVersion: "1", clientInfo: { name: "c", version: "1" }, capabilities: {} });

describe("acceptGoDialect() tells the dialect by the first initialize", () => {
  test.each([
    { protocolVersion: "1", capabilities: {} },
    { protocolVersion: "draft", clientInfo: {} },
    { protocolVersion: "", capabilities: {} },
    { protocolVersion: 1, capabilities: {} },
  ])("%j is the Go dialect", async (params) => {
    const { toAgent, atAgent } = ends();
    await toAgent(initialize(params));
    const { capabilities: _, ...others } = params as Record<string, unknown>;
    expect(atAgent()).toMatchObject([{ params: { ...others, protocolVersion: 1, clientCapabilities: {} } }]);
  });

  test.each([
    { protocolVersion: 1, clientCapabilities: {} },
    { protocolVersion: 1 },
    { protocolVersion: 1, clientCapabilities: {}, capabilities: {} },
    { protocolVersion: 2, capabilities: {} },
    [],
  ])("%j is official, and passes untouched as everything after it does", async (params) => {
    const { toAgent, toClient, texts, wire } = ends();
    const odd = '{ "jsonrpc": "2.0", "id": 90071992547409931, "method": "session/cancel" }';
    await toAgent(initialize(params));
    await toAgent(odd);
    await toAgent(goInitialize);
    await toClient({ method: "session/update", params: { update: { sessionUpdate: "plan", entries: [] } } });
    expect(texts).toEqual([initialize(params), odd, goInitialize]);
    expect(wire).toEqual([
      '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"plan","entries":[]}}}',
    ]);
  });

  test("messages before it pass untouched, and noise does not decide", async () => {
    const { toAgent, texts } = ends();
    for (const text of ["noise", "[]", '{"jsonrpc":"2.0","id":5,"method":"session/new"}', goInitialize])
      await toAgent(text);
    expect(texts.slice(0, 3)).toEqual(["noise", "[]", '{"jsonrpc":"2.0","id":5,"method":"session/new"}']);
    expect(JSON.parse(texts[3] ?? "")).toMatchObject({ params: { protocolVersion: 1 } });
  });

  test.each([
    ["v1.2", 1, "v1.2"],
    ["2", 2, "1"],
    ["70000", 1, "1"],
    [1, 1, 1],
  ])("the version %j is asked for as %j, and answered with %j", async (asked, sent, answered) => {
    const { toAgent, toClient, atAgent, atClient } = ends();
    await toAgent(initialize({ protocolVersion: asked, capabilities: {} }));
    expect(atAgent()).toMatchObject([{ params: { protocolVersion: sent } }]);
    await toClient({ id: 1, result: { protocolVersion: 1, agentInfo: { name: "a", version: "2" } } });
    expect(atClient()).toMatchObject([
      { result: { protocolVersion: answered, agentInfo: { name: "a", version: "2" } } },
    ]);
  });
});

describe("acceptGoDialect() answers the agent's requests in the client's place", () => {
  const options = [
    { optionId: "a", name: "A", kind: "allow_once" },
    { optionId: "r", name: "R", kind: "reject_always" },
  ];
  const permission = {
    id: 7,
    method: "session/request_permission",
    params: { sessionId: "s", toolCall: { toolCallId: "t" }, options },
  };
  const answers = (messages: readonly unknown[]): readonly unknown[] =>
    messages.filter((message) => (message as { id?: unknown }).id === 7);

  test("by rejecting, but never inside of the call", async () => {
    const { toAgent, toClient, atAgent, wire, diagnostics } = ends();
    await toAgent(goInitialize);
    await toClient(permission);
    expect(answers(atAgent())).toEqual([
      { jsonrpc: "2.0", id: 7, result: { outcome: { outcome: "selected", optionId: "r" } } },
    ]);
    expect(wire).toEqual([]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ type: "translation", method: "session/request_permission" }),
    );
  });

  test("by a policy, whose failure rejects", async () => {
    const allowing = ends({ permission: async () => ({ outcome: "selected", optionId: "a" }) });
    const failing = ends({ permission: () => Promise.reject(new Error("no")) });
    for (const { toAgent, toClient } of [allowing, failing]) {
      await toAgent(goInitialize);
      await toClient(permission);
    }
    const chosen = [allowing, failing].flatMap(({ atAgent }) => answers(atAgent()));
    expect(chosen).toMatchObject([
      { result: { outcome: { optionId: "a" } } },
      { result: { outcome: { optionId: "r" } } },
    ]);
  });

  test("with cancelled if the turn is cancelled while the policy thinks, and once only", async () => {
    let decide = (): void => {};
    const { toAgent, toClient, atAgent, atClient } = ends({
      permission: () =>
        new Promise((resolve) => {
          decide = () => resolve({ outcome: "selected", optionId: "a" });
        }),
    });
    await toAgent(goInitialize);
    await toClient(permission);
    await toAgent('{"jsonrpc":"2.0","id":9,"method":"session/cancel","params":{"sessionId":"other"}}');
    expect(answers(atAgent())).toEqual([]);
    await toAgent('{"jsonrpc":"2.0","id":10,"method":"session/cancel","params":{"sessionId":"s"}}');
    decide();
    await turn();
    expect(answers(atAgent())).toEqual([{ jsonrpc: "2.0", id: 7, result: { outcome: { outcome: "cancelled" } } }]);
    // Both cancels were requests, which are answered here.
    expect(atClient()).toEqual([9, 10].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  });

  test("with -32601 for everything else; extension notifications go through, others do not", async () => {
    const { toAgent, toClient, atAgent, atClient } = ends();
    await toAgent(goInitialize);
    await toClient({ id: 7, method: "fs/read_text_file", params: {} });
    await toClient({ method: "_acme/event", params: {} });
    await toClient({ method: "elicitation/complete", params: {} });
    expect(answers(atAgent())).toMatchObject([{ error: { code: -32601 } }]);
    expect(atClient()).toEqual([{ jsonrpc: "2.0", method: "_acme/event", params: {} }]);
  });
});

test("acceptGoDialect() gives each of two requests with one id its own answer", async () => {
  const { toAgent, toClient, atClient } = ends();
  await toAgent(goInitialize);
  await toClient({ id: 1, result: { protocolVersion: 1 } });
  const ask = '{"jsonrpc":"2.0","id":4,"method":"session/new","params":{"metadata":{"workDir":"/project"}}}';
  await toAgent(ask);
  await toAgent(ask.replace("/project", "/other"));
  // The second is refused, since its id is in use.
  await toClient({ id: 4, error: { code: -32600, message: "Invalid request" } });
  await toClient({ id: 4, result: { sessionId: "s" } });
  expect(atClient().slice(1)).toEqual([
    { jsonrpc: "2.0", id: 4, error: { code: -32600, message: "Invalid request" } },
    { jsonrpc: "2.0", id: 4, result: { session: { id: "s", metadata: { workDir: "/project" } } } },
  ]);
});

describe("acceptGoDialect() opens a session", () => {
  const mcpServers = [{ name: "m", command: "/m", args: [], env: [] }];

  test.each([
    [{ cwd: "/project", mcpServers, _meta: { a: 1 } }, { cwd: "/project", mcpServers, _meta: { a: 1 } }, []],
    [{ metadata: { workDir: "/project" }, mcpServers: null }, { cwd: "/project", mcpServers: [] }, []],
    [
      { metadata: { workDir: "/project", b: "2" }, cwd: "/other", _meta: { a: 1 } },
      { cwd: "/project", mcpServers: [], _meta: { a: 1, b: "2" } },
      [{ type: "translation", method: "session/new", lost: ["cwd"] }],
    ],
    [{ cwd: null }, { cwd: "/", mcpServers: [] }, [{ type: "translation", method: "session/new" }]],
  ])("with the params %j", async (params, expected, told) => {
    const { toAgent, atAgent, diagnostics } = ends();
    await toAgent(goInitialize);
    await toAgent(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "session/new", params }));
    expect(atAgent()[1]).toEqual({ jsonrpc: "2.0", id: 2, method: "session/new", params: expected });
    expect(diagnostics).toMatchObject(told);
  });
});

test("acceptGoDialect() does not advertise session/load, for which the dialect has no method", async () => {
  const { toAgent, toClient, atClient, diagnostics } = ends();
  await toAgent(goInitialize);
  const agentCapabilities = { loadSession: true, promptCapabilities: { image: true } };
  await toClient({ id: 1, result: { protocolVersion: 1, agentCapabilities } });
  const [answer] = atClient() as { result: { capabilities: unknown } }[];
  expect(answer?.result.capabilities).toEqual({ promptCapabilities: { image: true } });
  expect(diagnostics).toMatchObject([{ method: "initialize", lost: ["agentCapabilities.loadSession"] }]);
});

test("acceptGoDialect() ends the connection when the transport rejects a message of the translator", async () => {
  const [near, far] = createMemoryTransportPair();
  const reason = new Error("the socket is closing");
  const ended = new Promise((closed) => {
    far.send = () => Promise.reject(reason);
    acceptGoDialect(far).start({ ...recordingSink(), closed });
  });
  near.start(recordingSink());
  void near.send(goInitialize, "soon");
  const cancel = { jsonrpc: "2.0", id: 2, method: "session/cancel", params: { sessionId: "s" } };
  void near.send(JSON.stringify(cancel), "soon");
  expect(await ended).toBe(reason);
});
