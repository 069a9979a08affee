import { createAgent, type Diagnostic } from "@acp/core";
import { expect, test } from "vitest";

import { asked, endpoint, initialize, messagesOf, open, posted } from "../../test/support/in-process.ts";
import { createHttpServer, type HttpServer } from "./http-server.ts";

const agent = createAgent({
  info: { name: "agent", version: "1" },
  sessionId: () => "s1",
  handlers: {
    "session/prompt": async ({ prompt }, { turn, signal }) => {
      const [block] = prompt;
      if (block?.type === "text" && block.text === "wait") {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      }
      if (block?.type === "text" && block.text === "ask") {
        await (await turn.toolCall({ title: "Edit" })).requestPermission();
        return { stopReason: "end_turn" };
      }
      await turn.message("hello");
      return { stopReason: "end_turn" };
    },
    "session/load": async (_params, { session }) => {
      await session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "told" } });
      return {};
    },
  },
});

const request = (id: number, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
const newSession = request(1, "session/new", { cwd: "/", mcpServers: [] });
const prompt = (text: string): object =>
  request(2, "session/prompt", { sessionId: "s1", prompt: [{ type: "text", text }] });

async function statusOf(server: HttpServer, made: Request): Promise<number> {
  const response = await server.handle(made);
  await response.body?.cancel();
  return response.status;
}

test("a connection from initialize to DELETE: 200, 202, and answers on the streams they belong to", async () => {
  await using server = createHttpServer({ agent });
  const first = await server.handle(posted(initialize));
  expect(first.status).toBe(200);
  expect(first.headers.get("Content-Type")).toBe("application/json");
  expect(await first.json()).toMatchObject({ id: 0, result: { protocolVersion: 1, agentInfo: { name: "agent" } } });
  const id = first.headers.get("Acp-Connection-Id") ?? "";
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(server.connections).toBe(1);

  const connection = { "Acp-Connection-Id": id };
  const taken = await server.handle(posted(newSession, connection));
  expect([taken.status, await taken.text()]).toEqual([202, ""]);
  const stream = await server.handle(asked(connection));
  expect([stream.status, stream.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
  const connectionMessages = messagesOf(stream);
  expect((await connectionMessages.next()).value).toMatchObject({ id: 1, result: { sessionId: "s1" } });

  const session = { ...connection, "Acp-Session-Id": "s1" };
  expect(await statusOf(server, posted(prompt("hi"), session))).toBe(202);
  const sessionMessages = messagesOf(await server.handle(asked(session)));
  expect((await sessionMessages.next()).value).toMatchObject({ method: "session/update" });
  expect((await sessionMessages.next()).value).toMatchObject({ id: 2, result: { stopReason: "end_turn" } });

  expect(await statusOf(server, new Request(endpoint, { method: "DELETE", headers: connection }))).toBe(202);
  expect([(await connectionMessages.next()).done, (await sessionMessages.next()).done]).toEqual([true, true]);
  expect(await statusOf(server, asked(connection))).toBe(404);
  await expect.poll(() => server.connections).toBe(0);
});

test("each mistake has the status that the proposal gives it", async () => {
  await using server = createHttpServer({ agent, maxMessageBytes: 10_000 });
  const connection = await open(server);
  const session = { ...connection, "Acp-Session-Id": "s1" };
  const plain = (headers: Record<string, string>): Request => new Request(endpoint, { headers });
  const answers: readonly [Request, number][] = [
    [posted(newSession), 400],
    [posted(newSession, { "Acp-Connection-Id": "unknown" }), 404],
    [posted(initialize, connection), 400],
    [posted({ ...initialize, id: null }), 400],
    [posted("{", connection), 400],
    [posted("7", connection), 400],
    [posted([newSession], connection), 400],
    [posted(newSession, { ...connection, "Content-Type": "text/plain" }), 415],
    [posted(newSession, { ...connection, "Content-Type": "Application/JSON; charset=utf-8" }), 202],
    [posted(prompt("x".repeat(10_000)), session), 413],
    [posted(prompt("hi"), connection), 400],
    [posted(prompt("hi"), { ...connection, "Acp-Session-Id": "s2" }), 400],
    [posted({ jsonrpc: "2.0", method: "session/cancel" }, connection), 400],
    [asked({}), 400],
    [asked({ "Acp-Connection-Id": "unknown" }), 404],
    [plain({ ...connection, Accept: "application/json" }), 406],
    [plain({ ...connection, Upgrade: "websocket" }), 426],
    [new Request(endpoint, { method: "DELETE" }), 400],
    [new Request(endpoint, { method: "DELETE", headers: { "Acp-Connection-Id": "unknown" } }), 404],
    [new Request(endpoint, { method: "PUT", body: "{}" }), 405],
  ];
  const statuses: number[] = [];
  for (const [made] of answers) statuses.push(await statusOf(server, made));
  expect(statuses).toEqual(answers.map(([, status]) => status));
  const batch = await server.handle(posted([newSession], connection));
  expect(await batch.json()).toMatchObject({ id: null, error: { code: -32600 } });
});

test("a body without a length is read no further than the limit", async () => {
  await using server = createHttpServer({ agent, maxMessageBytes: 10_000 });
  let pulled = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(1000).fill(0x20));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body, duplex: "half" };
  expect(await statusOf(server, new Request(endpoint, init))).toBe(413);
  expect(isCancelled).toBe(true);
  expect(pulled).toBeLessThan(15);
  const broken = new Request(endpoint, { ...init, body: new Uint8Array([0xff, 0xfe]) });
  expect(await statusOf(server, broken)).toBe(400);
});

test("a stream has one reader: the second gets 409, and once the first has gone, another one continues", async () => {
  await using server = createHttpServer({ agent });
  const connection = await open(server);
  const first = await server.handle(asked(connection));
  expect(await statusOf(server, asked(connection))).toBe(409);
  await first.body?.cancel();
  await server.handle(posted(newSession, connection));
  const second = await server.handle(asked(connection));
  expect((await messagesOf(second).next()).value).toMatchObject({ id: 1 });
});

test("the answer of session/load comes after the history, and on the connection's stream if nobody reads the session's", async () => {
  await using server = createHttpServer({ agent });
  const connection = await open(server);
  const session = { ...connection, "Acp-Session-Id": "old" };
  const load = (id: number): object => request(id, "session/load", { sessionId: "old", cwd: "/", mcpServers: [] });
  const messages = messagesOf(await server.handle(asked(session)));
  await server.handle(posted(load(5), session));
  expect((await messages.next()).value).toMatchObject({ method: "session/update" });
  expect((await messages.next()).value).toMatchObject({ id: 5 });
  await messages.return();
  await server.handle(posted(load(6), session));
  expect((await messagesOf(await server.handle(asked(connection))).next()).value).toMatchObject({ id: 6 });
});

test("the agent's requests and their cancellations go to the session's stream in order; answers need its header", async () => {
  await using server = createHttpServer({ agent });
  const connection = await open(server);
  await server.handle(posted(newSession, connection));
  const session = { ...connection, "Acp-Session-Id": "s1" };
  const messages = messagesOf(await server.handle(asked(session)));
  await server.handle(posted(prompt("ask"), session));
  expect((await messages.next()).value).toMatchObject({ method: "session/update" });
  const question = (await messages.next()).value;
  expect(question).toMatchObject({ method: "session/request_permission" });
  const id = question?.["id"];
  const answer = { jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } };
  expect(await statusOf(server, posted(answer, connection))).toBe(400);
  expect(await statusOf(server, posted(answer, { ...connection, "Acp-Session-Id": "s2" }))).toBe(400);
  const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s1" } };
  expect(await statusOf(server, posted(cancel, session))).toBe(202);
  expect((await messages.next()).value).toMatchObject({ method: "$/cancel_request", params: { requestId: id } });
  expect(await statusOf(server, posted(answer, session))).toBe(202);
  expect((await messages.next()).value).toMatchObject({ id: 2, result: { stopReason: "cancelled" } });
});

test("the server refuses connections above its limit", async () => {
  await using server = createHttpServer({ agent, maxConnections: 2 });
  const first = await open(server);
  await open(server);
  expect(await statusOf(server, posted(initialize))).toBe(503);
  const upgrade = new Request(endpoint, { headers: { Upgrade: "websocket" } });
  expect(await server.upgrade(upgrade)).toMatchObject({ status: 503 });
  await server.handle(new Request(endpoint, { method: "DELETE", headers: first }));
  await expect.poll(() => server.connections).toBe(1);
  const prepared = await server.upgrade(upgrade);
  if (prepared instanceof Response) throw new Error(await prepared.text());
  expect(prepared.headers["Acp-Connection-Id"]).toHaveLength(36);
  expect(server.connections).toBe(2);
  prepared.discard();
  prepared.discard();
  expect(server.connections).toBe(1);
});

test("a client that gives initialize up leaves no connection", async () => {
  let connected = (): void => {};
  const isConnected = new Promise<void>((resolve) => (connected = resolve));
  const slow = createAgent({
    info: { name: "slow", version: "1" },
    connected: async (_client, signal) => {
      connected();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
  });
  await using server = createHttpServer({ agent: slow });
  const client = new AbortController();
  const answer = server.handle(new Request(posted(initialize), { signal: client.signal }));
  await isConnected;
  client.abort();
  expect((await answer).status).toBe(500);
  await expect.poll(() => server.connections).toBe(0);
});

test("a client that has gone before its agent is there leaves nothing that waits", async () => {
  const client = new AbortController();
  await using server = createHttpServer({
    agent: () => {
      client.abort();
      return agent;
    },
  });
  const answer = await server.handle(posted(initialize), { signal: client.signal });
  expect(answer.status).toBe(500);
  await expect.poll(() => server.connections).toBe(0);
});

test("a server that was closed has ended its turns, and answers with 503", async () => {
  const server = createHttpServer({ agent });
  const connection = await open(server);
  await server.handle(posted(newSession, connection));
  const stream = messagesOf(await server.handle(asked(connection)));
  await stream.next();
  const session = { ...connection, "Acp-Session-Id": "s1" };
  const messages = messagesOf(await server.handle(asked(session)));
  await server.handle(posted(prompt("wait"), session));
  const closed = server.close();
  // The turn's response goes out before the stream ends.
  expect((await messages.next()).value).toMatchObject({ id: 2, result: { stopReason: "cancelled" } });
  expect([(await messages.next()).done, (await stream.next()).done]).toEqual([true, true]);
  await closed;
  expect(server.connections).toBe(0);
  expect(await statusOf(server, posted(initialize))).toBe(503);
});

test("an agent that cannot be made is answered with 500, and the diagnostics have the reason", async () => {
  const diagnostics: Diagnostic[] = [];
  const error = new Error("secret");
  await using server = createHttpServer({
    agent: () => {
      throw error;
    },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const response = await server.handle(posted(initialize));
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret");
  expect(diagnostics).toMatchObject([{ type: "handler-failed", error }]);
  expect(server.connections).toBe(0);
});

test("a function that returns no agent is answered with 500, before a WebSocket is open as well", async () => {
  const told: string[] = [];
  await using server = createHttpServer({
    agent: (() => undefined) as unknown as () => typeof agent,
    onDiagnostic: ({ message }) => told.push(message),
  });
  expect((await server.handle(posted(initialize))).status).toBe(500);
  const upgrade = await server.upgrade(new Request(endpoint, { headers: { Upgrade: "websocket" } }));
  expect(upgrade).toMatchObject({ status: 500 });
  expect(told).toEqual([
    expect.stringContaining("There is no agent: the option agent is to be one of createAgent"),
    expect.stringContaining("There is no agent"),
  ]);
  expect(server.connections).toBe(0);
});

test("createHttpServer() refuses options that cannot work", () => {
  expect(() => createHttpServer({} as never)).toThrow("A server needs an agent");
  expect(() => createHttpServer({ agent, maxConnections: 0 })).toThrow("maxConnections is 0");
  expect(() => createHttpServer({ agent, idleTimeout: Number.NaN })).toThrow("idleTimeout is NaN");
});
