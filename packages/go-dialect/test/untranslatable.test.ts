import { createClient, createMemoryTransportPair, type Diagnostic, type Transport } from "@acp/core";
import { describe, expect, test } from "vitest";
import { recordingSink } from "../../core/src/transport/testing/recording-sink.ts";
import { acceptGoDialect, type AcceptGoDialectOptions, withGoAgents } from "../src/index.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const levels = 20_000;
/** What can be parsed, but not written again. */
const deep = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

function parsed(texts: readonly string[]): unknown[] {
  return texts.map((text) => JSON.parse(text));
}

const refused = (id: unknown): object => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32603, message: "Internal error: could not be translated" },
});

/** An agent behind acceptGoDialect(), played by hand, whose client is of the dialect. */
async function agentEnds(options: AcceptGoDialectOptions = {}) {
  const [near, far] = createMemoryTransportPair();
  const diagnostics: Diagnostic[] = [];
  const agent = acceptGoDialect(near, { ...options, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const [atAgent, atClient] = [recordingSink(), recordingSink()];
  agent.start(atAgent);
  far.start(atClient);
  const send = async (transport: Transport, text: string): Promise<void> => {
    await transport.send(text, "soon");
    await turn();
  };
  await send(far, '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1"}}');
  atAgent.messages.length = 0;
  return {
    diagnostics,
    atAgent: () => parsed(atAgent.messages),
    texts: atAgent.messages,
    atClient: () => parsed(atClient.messages),
    toAgent: (text: string) => send(far, text),
    toClient: (message: object) => send(agent, JSON.stringify({ jsonrpc: "2.0", ...message })),
  };
}

describe("acceptGoDialect() continues after a message that it cannot write again", () => {
  test.each([
    ["initialize", `{"protocolVersion":"1","_meta":${deep}}`],
    ["session/new", `{"metadata":{"a":${deep}}}`],
    ["session/prompt", `{"sessionId":"s","prompt":[{"type":"text","text":"a","_meta":${deep}}]}`],
    ["session/cancel", `{"sessionId":${deep}}`],
  ])("by refusing it: %s", async (method, params) => {
    const { toAgent, toClient, atAgent, atClient, diagnostics } = await agentEnds();
    await toAgent(`{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`);
    expect(atAgent()).toEqual([]);
    expect(atClient()).toEqual([refused(7)]);
    expect(diagnostics).toContainEqual(expect.objectContaining({ type: "translation", method }));
    // Its id is free again.
    await toAgent('{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"metadata":{"workDir":"/project"}}}');
    await toClient({ id: 7, result: { sessionId: "s" } });
    expect(atClient()[1]).toMatchObject({ id: 7, result: { session: { id: "s" } } });
  });

  test("without an answer to a notification", async () => {
    const { toAgent, atAgent, atClient, diagnostics } = await agentEnds();
    await toAgent(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":${deep}}}`);
    expect([atAgent(), atClient()]).toEqual([[], []]);
    expect(diagnostics).toMatchObject([{ type: "translation", method: "session/cancel" }]);
  });

  test("unless a deeply nested value has no place anyway, or is an id, which the connection refuses", async () => {
    const { toAgent, texts, atAgent } = await agentEnds();
    await toAgent(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":${deep}}}`);
    expect(atAgent()).toMatchObject([{ params: { clientCapabilities: {} } }]);
    const text = `{"jsonrpc":"2.0","id":${deep},"method":"session/new","params":{}}`;
    await toAgent(text);
    expect(texts[1]).toBe(text);
  });
});

describe("acceptGoDialect() answers a permission request", () => {
  const ask = (params: object): object => ({ id: 7, method: "session/request_permission", params });

  test.each([{}, { options: null }, { options: "allow" }, { options: [null] }, { options: [{ kind: "reject_once" }] }])(
    "of %j with -32602",
    async (params) => {
      const { toClient, atAgent, diagnostics } = await agentEnds();
      await toClient(ask({ sessionId: "s", ...params }));
      const data = { path: "/options", reason: "expected a list of options" };
      expect(atAgent()).toEqual([
        { jsonrpc: "2.0", id: 7, error: { code: -32602, message: expect.any(String), data } },
      ]);
      expect(diagnostics).toMatchObject([{ type: "translation", method: "session/request_permission" }]);
    },
  );

  test("with a rejection where the policy's decision cannot be serialized", async () => {
    const { toClient, atAgent } = await agentEnds({ permission: () => ({ outcome: 1n }) as never });
    await toClient(ask({ options: [{ optionId: "r", name: "R", kind: "reject_once" }] }));
    expect(atAgent()).toMatchObject([{ id: 7, result: { outcome: { optionId: "r" } } }]);
  });
});

test("withGoAgents() continues after an update it cannot write again, and rejects a call whose answer is one", async () => {
  const [near, far] = createMemoryTransportPair();
  const told: string[] = [];
  const atAgent = recordingSink();
  far.start(atAgent);
  const onDiagnostic = ({ type, message }: Diagnostic): void => void told.push(`${type}: ${message}`);
  const info = { name: "client", version: "1" };
  const connecting = withGoAgents(createClient({ info }), { onDiagnostic }).connect(near);
  await turn();
  const answer = async (result: string): Promise<void> => {
    const { id } = JSON.parse(atAgent.messages.at(-1) ?? "") as { id: number };
    await far.send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, "soon");
    await turn();
  };
  await answer('{"protocolVersion":"1","capabilities":{}}');
  const agent = await connecting;
  const update = `{"sessionId":"s","update":{"type":"planUpdate","entries":[${deep}]}}`;
  await far.send(`{"jsonrpc":"2.0","method":"session/update","params":${update}}`, "soon");
  await turn();
  expect(told).toEqual(["translation: session/update: it could not be translated, and was left out"]);
  const failed = agent.newSession({ cwd: "/project" });
  const rejection = expect(failed).rejects.toMatchObject({ wire: { code: -32603 } });
  await turn();
  await answer(`{"session":{"id":"s","metadata":${deep}}}`);
  await rejection;
  expect(told[1]).toContain("an answer: it could not be translated");
  const opened = agent.newSession({ cwd: "/project" });
  await turn();
  await answer('{"session":{"id":"t"}}');
  expect((await opened).id).toBe("t");
  await agent.close();
});

test("messages of the dialect that share a line, or have something around them, are translated", async () => {
  const { toAgent, texts, atAgent } = await agentEnds();
  await toAgent(
    '\u001b]0;title\u0007{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"metadata":{"workDir":"/one"}}} and {"jsonrpc":"2.0","id":8,"method":"session/new","params":{"metadata":{"workDir":"/two"}}}\u001b[0m',
  );
  expect(texts).toHaveLength(1);
  expect(texts[0]?.split(/\{.*\} and \{.*\}/)).toEqual(["\u001b]0;title\u0007", "\u001b[0m"]);
  expect(texts[0]).toContain('"cwd":"/one"');
  expect(texts[0]).toContain('"cwd":"/two"');
  expect(texts[0]).not.toContain("workDir");
  await toAgent("no message at all");
  expect(texts[1]).toBe("no message at all");
  expect(() => atAgent()).toThrow();
});
