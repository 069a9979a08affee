// What is too large or too fast, over the byte transport with both ends in this process.
import { contentLength, type Framing, type FramingIssue, ndjson } from "@acp/framing";
import { describe, expect, it, vi } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createStreamTransport } from "../../src/transport/web-stream-pipe.ts";
import { createDeferred, type Deferred } from "../../src/base/promises.ts";
import type { Transport, TransportSink } from "../../src/transport/transport.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ConnectedAgent } from "../../src/v1/connected-agent.ts";

const info = { name: "test", version: "1.0.0" };

interface Limits {
  readonly agent?: number;
  readonly client?: number;
}

/** An agent and a client over byte streams, with size limits of their own. */
async function connect(framing: Framing, limits: Limits) {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const agent = createAgent({
    info,
    onDiagnostic,
    handlers: {
      "session/prompt": () => ({ stopReason: "end_turn" }),
      "_x/size": ({ text }: { text: string }) => text.length,
      "_x/make": ({ size }: { size: number }) => "x".repeat(size),
      "_x/note": () => {},
    },
  });
  agent.connect(
    createStreamTransport(
      { readable: toAgent.readable, writable: toClient.writable },
      { framing, maxMessageBytes: limits.agent ?? 1_000_000 },
    ),
  );
  const client: ConnectedAgent = await createClient({ info, onDiagnostic }).connect(
    createStreamTransport(
      { readable: toClient.readable, writable: toAgent.writable },
      { framing, maxMessageBytes: limits.client ?? 1_000_000 },
    ),
  );
  return { client, diagnostics };
}

describe.each([ndjson, contentLength])("a message over the limit ($name)", (framing) => {
  it("is answered -32600 if it is a request, and the connection continues", async () => {
    const { client, diagnostics } = await connect(framing, { agent: 20_000 });
    await expect(client.request("_x/size", { text: "x".repeat(20_001) })).rejects.toMatchObject({
      wire: { code: -32600 },
    });
    expect(diagnostics).toMatchObject([{ type: "framing", issue: { code: "message-too-large", limit: 20_000 } }]);
    expect(await client.request("_x/size", { text: "abc" })).toBe(3);
    await client.close();
  });

  it("rejects its caller if it is an answer", async () => {
    const { client } = await connect(framing, { client: 20_000 });
    await expect(client.request("_x/make", { size: 20_001 })).rejects.toMatchObject({ code: "protocol_violation" });
    expect(await client.request("_x/make", { size: 3 })).toBe("xxx");
    await client.close();
  });

  it("costs only itself if it is a notification", async () => {
    const { client, diagnostics } = await connect(framing, { agent: 20_000 });
    await client.notify("_x/note", { text: "x".repeat(20_001) });
    expect(await client.request("_x/size", { text: "abc" })).toBe(3);
    expect(diagnostics).toMatchObject([{ type: "framing" }]);
    await client.close();
  });

  it("fails locally where it is sent, or becomes an error answer", async () => {
    const { client, diagnostics } = await connect(framing, { agent: 20_000, client: 20_000 });
    await expect(client.request("_x/size", { text: "x".repeat(20_001) })).rejects.toMatchObject({
      code: "message_too_large",
      method: "_x/size",
      limit: 20_000,
    });
    await expect(client.request("_x/make", { size: 20_001 })).rejects.toMatchObject({ wire: { code: -32603 } });
    expect(diagnostics).toMatchObject([{ type: "unsendable", method: "_x/make" }]);
    await client.close();
  });
});

/** A transport whose other end is this test, which may leave what is sent unread. */
function createHandTransport() {
  let sink: TransportSink | undefined;
  let room: Deferred | undefined;
  /** What each message to be sent makes of the queue. */
  let sizes: number[] = [];
  const sent: { id?: number; method?: string; result?: unknown; error?: { code: number } }[] = [];
  const transport = {
    start: (to: TransportSink) => {
      sink = to;
    },
    send: (text: string) => {
      sent.push(JSON.parse(text) as { id?: number; method?: string });
      const size = sizes.shift();
      if (size !== undefined) sink?.sendQueueGrew?.(size);
      return room?.promise;
    },
    pause: vi.fn<() => void>(),
    resume: vi.fn<() => void>(),
    close: () => Promise.resolve(),
  } satisfies Transport;
  return {
    transport,
    sent,
    receive: (message: object) => sink?.message(JSON.stringify(message)),
    leaveOut: (issue: Omit<FramingIssue, "message">) => sink?.issue({ ...issue, message: "Left out" }),
    leaveUnread: (...grown: number[]) => {
      room = createDeferred();
      sizes = grown;
    },
    read: async () => {
      room?.resolve();
      room = undefined;
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    idOf: (method: string) => sent.find((message) => message.method === method)?.id,
  };
}

describe("a message that the framing has left out", () => {
  const big = "x".repeat(100);
  const garbled = "\ufffd";
  const asked = '{"jsonrpc":"2.0","id":7,"method":"_x/size","params":"';

  it.each<[string, FramingIssue["code"], string, object | undefined]>([
    ["a request", "message-too-large", asked + big, { id: 7, error: { code: -32600 } }],
    ["a request in bad text", "invalid-utf8", `${asked}${garbled}"}`, { id: 7, error: { code: -32600 } }],
    [
      "one whose id is bad text",
      "invalid-utf8",
      asked.replace("7", `"${garbled}"`),
      { id: null, error: { code: -32700 } },
    ],
    ["no JSON", "invalid-utf8", garbled, { id: null, error: { code: -32700 } }],
    ["no JSON, and too long", "message-too-large", big, undefined],
    ["a notification in bad text", "invalid-utf8", `${asked.replace('"id":7,', "")}${garbled}"}`, undefined],
    ["no JSON-RPC", "message-too-large", asked.replace('"jsonrpc":"2.0",', "") + big, undefined],
    ["an answer without its id", "invalid-utf8", `{"jsonrpc":"2.0","result":"${garbled}"}`, undefined],
  ])("is answered by an agent where it has to be: %s", (_what, code, head, expected) => {
    const hand = createHandTransport();
    const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
    agent.connect(hand.transport);
    hand.leaveOut({ code, head });
    expect(hand.sent).toMatchObject(expected === undefined ? [] : [expected]);
    expect(hand.sent).toHaveLength(expected === undefined ? 0 : 1);
  });

  it.each(["result", "error", "_more"])(
    "rejects the call that it answers, where its first member is %s",
    async (name) => {
      const hand = createHandTransport();
      const connecting = createClient({ info }).connect(hand.transport);
      hand.receive({ jsonrpc: "2.0", id: hand.idOf("initialize"), result: { protocolVersion: 1 } });
      const agent = await connecting;
      const asking = agent.request("_x/ask");
      hand.leaveOut({
        code: "message-too-large",
        head: `{"jsonrpc":"2.0","id":${hand.idOf("_x/ask")},"${name}":"${big}`,
      });
      await expect(asking).rejects.toMatchObject({ code: "protocol_violation", method: "_x/ask" });
    },
  );
});

describe("flow control", () => {
  const text = "x".repeat(10_000);
  const update = {
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  };

  async function setUp(handler: (agent: { request(method: `_${string}`): Promise<unknown> }) => Promise<void>) {
    const hand = createHandTransport();
    const client = createClient({ info, handlers: { "session/update": (_params, { agent }) => handler(agent) } });
    const connecting = client.connect(hand.transport);
    hand.receive({ jsonrpc: "2.0", id: hand.idOf("initialize"), result: { protocolVersion: 1 } });
    const agent = await connecting;
    const opening = agent.newSession({ cwd: "/" });
    await Promise.resolve();
    hand.receive({ jsonrpc: "2.0", id: hand.idOf("session/new"), result: { sessionId: "s" } });
    const session = await opening;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const turn = session.prompt("Hello");
    await Promise.resolve();
    return { hand, turn };
  }

  const call = { sessionUpdate: "tool_call", toolCallId: "c", title: text };
  const behind = "pauses reading while a handler is behind, though the prompt is outstanding, and goes on after it";
  it.each([
    ["text", update],
    ["a tool call", { ...update, params: { sessionId: "s", update: call } }],
  ])(`${behind} (%s)`, async (_kind, told) => {
    const waiting: (() => void)[] = [];
    const { hand, turn } = await setUp(() => new Promise((resolve) => waiting.push(resolve)));
    for (let i = 0; i < 200; i++) hand.receive(told);
    expect(hand.transport.pause).toHaveBeenCalledOnce();
    expect(hand.transport.resume).not.toHaveBeenCalled();
    let handled = 0;
    while (handled < 200) {
      const next = waiting.shift();
      if (next !== undefined) handled++;
      next?.();
      await Promise.resolve();
    }
    await expect.poll(() => hand.transport.resume).toHaveBeenCalledOnce();
    hand.receive({ jsonrpc: "2.0", id: hand.idOf("session/prompt"), result: { stopReason: "end_turn" } });
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
  });

  it("does not pause while the running handler waits for an answer that is behind the queue", async () => {
    let first = true;
    const { hand } = await setUp(async (agent) => {
      if (!first) return;
      first = false;
      await agent.request("_x/ask");
    });
    for (let i = 0; i < 200; i++) hand.receive(update);
    expect(hand.transport.pause).not.toHaveBeenCalled();
    hand.receive({ jsonrpc: "2.0", id: hand.idOf("_x/ask"), result: {} });
  });

  it("resumes when a running handler starts to wait for an answer", async () => {
    let ask = (): void => {};
    const { hand } = await setUp(
      (agent) =>
        new Promise((resolve) => {
          ask = () => void agent.request("_x/ask").then(() => resolve());
        }),
    );
    for (let i = 0; i < 200; i++) hand.receive(update);
    expect(hand.transport.pause).toHaveBeenCalledOnce();
    ask();
    await Promise.resolve();
    expect(hand.transport.resume).toHaveBeenCalledOnce();
  });
});

describe("answers that the peer does not read", () => {
  const mebi = 1024 * 1024;

  async function setUp() {
    const hand = createHandTransport();
    const diagnostics: Diagnostic[] = [];
    const agent = createAgent({
      info,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      handlers: {
        "session/prompt": () => ({ stopReason: "end_turn" }),
        "_x/make": ({ size }: { size: number }) => "x".repeat(size),
        "_x/tell": (_params: unknown, { client }) => client.notify("_x/told", {}),
      },
    });
    const connection = agent.connect(hand.transport);
    hand.receive({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
    await hand.read();
    const ask = (id: number, size: number): void =>
      hand.receive({ jsonrpc: "2.0", id, method: "_x/make", params: { size } });
    const codes = (): unknown[] => hand.sent.slice(1).map(({ error }) => error?.code ?? "result");
    return { hand, diagnostics, connection, ask, codes };
  }

  it("become errors above 128 Mi, except small ones, until it has read them", async () => {
    const { hand, diagnostics, ask, codes } = await setUp();
    hand.leaveUnread(129 * mebi);
    for (const [id, size] of [2000, 2000, 10, 2000].entries()) ask(id + 1, size);
    expect(codes()).toEqual(["result", -32603, "result", -32603]);
    expect(diagnostics.map(({ type }) => type)).toEqual(["backlog", "unsendable", "unsendable"]);
    expect(diagnostics[1]?.message).toMatch(/The peer keeps sending requests but left 135266304 bytes unread$/u);
    await hand.read();
    ask(5, 2000);
    expect(codes().at(-1)).toBe("result");
  });

  it("end the connection above 256 Mi", async () => {
    const { hand, diagnostics, connection, ask, codes } = await setUp();
    hand.leaveUnread(129 * mebi, 257 * mebi);
    for (let id = 1; id <= 3; id++) ask(id, 10);
    expect(codes()).toEqual(["result", "result"]);
    expect(diagnostics.map(({ type }) => type)).toEqual(["backlog", "backlog", "closed"]);
    await connection.closed;
  });

  it("do not if it was not an answer that took it there", async () => {
    const { hand, diagnostics, ask, codes } = await setUp();
    hand.leaveUnread(257 * mebi);
    hand.receive({ jsonrpc: "2.0", method: "_x/tell" });
    ask(1, 10);
    expect(codes()).toEqual(["result", "result"]);
    expect(diagnostics.map(({ type }) => type)).toEqual(["backlog"]);
  });
});
