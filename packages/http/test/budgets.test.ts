// What a server lets its clients take, one by one and together.
import { type AgentDefinition, createAgent, type Diagnostic } from "@acp/core";
import { afterEach, expect, test, vi } from "vitest";

import { asked, endpoint, initialize, messagesOf, open, posted } from "./support/in-process.ts";
import { createHttpServer, type HttpServer } from "../src/server/http-server.ts";

afterEach(() => void vi.useRealTimers());

const info = { name: "agent", version: "1" };
const agent = createAgent({
  info,
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), "session/load": () => ({}) },
});

const mebi = 1024 * 1024;
const request = (id: number, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
const newSession = request(1, "session/new", { cwd: "/", mcpServers: [] });

/** A body that comes when the test says so. */
class SlowBody {
  readonly stream: ReadableStream<Uint8Array>;
  isCancelled = false;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor() {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.isCancelled = true;
      },
    });
  }

  send(text: string): void {
    this.#controller.enqueue(new TextEncoder().encode(text));
  }

  end(): void {
    this.#controller.close();
  }
}

/** Posts a body that comes slowly. */
function postSlowly(
  server: HttpServer,
  connection: object,
): { readonly body: SlowBody; readonly answer: Promise<Response> } {
  const body = new SlowBody();
  const headers = { "Content-Type": "application/json", ...connection };
  const init = { method: "POST", headers, body: body.stream, duplex: "half" };
  return { body, answer: server.handle(new Request(endpoint, init)) };
}

/** Lets whatever is on its way arrive. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a body that does not arrive in time is answered with 408, and others are not disturbed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const told: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void told.push(diagnostic);
  await using server = createHttpServer({ agent, bodyTimeout: 60_000, onDiagnostic });
  const connection = await open(server);
  const slow = [postSlowly(server, connection), postSlowly(server, {})];
  for (const { body } of slow) body.send("{");
  await settled();
  vi.advanceTimersByTime(59_000);
  expect((await server.handle(posted(newSession, connection))).status).toBe(202);
  vi.advanceTimersByTime(1000);
  for (const { answer, body } of slow) {
    const { status, words } = await answer.then(async (response) => ({
      status: response.status,
      words: await response.text(),
    }));
    expect([status, words]).toEqual([408, "The body did not arrive within 60000 ms (bodyTimeout)"]);
    expect(body.isCancelled).toBe(true);
  }
  expect(told).toMatchObject([
    { type: "refused", status: 408 },
    { type: "refused", status: 408 },
  ]);
  expect((await server.handle(posted(newSession, connection))).status).toBe(202);
});

test("a body that comes slowly, but in time, is a message like any other", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  await using server = createHttpServer({ agent, bodyTimeout: 60_000 });
  const { body, answer } = postSlowly(server, await open(server));
  const text = JSON.stringify(newSession);
  body.send(text.slice(0, 10));
  await settled();
  vi.advanceTimersByTime(50_000);
  body.send(text.slice(10));
  body.end();
  expect((await answer).status).toBe(202);
  expect(vi.getTimerCount()).toBeLessThan(3);
});

test("the largest body is discarded when all together exceed the limit, and everything else continues", async () => {
  await using server = createHttpServer({ agent, maxTotalReceivedBytes: 3 * mebi });
  const connection = await open(server);
  const small = postSlowly(server, connection);
  small.body.send(JSON.stringify(newSession).slice(0, 5));
  const large = [0, 1, 2].map(() => postSlowly(server, connection));
  for (const [n, { body }] of large.entries()) body.send(`"${"x".repeat(n === 1 ? 1.4 * mebi : 0.7 * mebi)}`);
  await settled();
  expect(large.map(({ body }) => body.isCancelled)).toEqual([false, false, false]);
  large[0]?.body.send("x".repeat(0.5 * mebi));
  const refused = await large[1]!.answer;
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("(maxTotalReceivedBytes)")]);
  expect(large.map(({ body }) => body.isCancelled)).toEqual([false, true, false]);
  small.body.send(JSON.stringify(newSession).slice(5));
  small.body.end();
  expect((await small.answer).status).toBe(202);
  for (const { body, answer } of [large[0]!, large[2]!]) {
    body.send('"');
    body.end();
    // A text is no message, but it has arrived.
    expect((await answer).status).toBe(400);
  }
  // Nothing of them is counted any more.
  const again = postSlowly(server, connection);
  again.body.send(`"${"x".repeat(2.9 * mebi)}"`);
  again.body.end();
  expect((await again.answer).status).toBe(400);
});

test("messages that wait for an agent count as received until it has taken them", async () => {
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const slow = createAgent({
    info,
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), "_acme/note": () => held } as never,
  });
  await using server = createHttpServer({ agent: slow, maxTotalReceivedBytes: 4 * mebi });
  const connection = await open(server);
  const note = { jsonrpc: "2.0", method: "_acme/note", params: { text: "x".repeat(mebi) } };
  const answers = Array.from({ length: 12 }, async () => (await server.handle(posted(note, connection))).status);
  const statusNow: (number | undefined)[] = [];
  for (const [n, answer] of answers.entries()) void answer.then((status) => (statusNow[n] = status));
  await expect.poll(() => statusNow).toContain(503);
  goOn();
  const statuses = await Promise.all(answers);
  expect(new Set(statuses)).toEqual(new Set([202, 503]));
  expect((await server.handle(posted(note, connection))).status).toBe(202);
});

test("nobody's body is read whose length alone is too much", async () => {
  await using server = createHttpServer({ agent });
  const connection = await open(server);
  for (const [length, status] of [
    [16 * mebi + 1, 413],
    [16 * mebi, 400],
  ] as const) {
    const { body, stream } = ((slow) => ({ body: slow, stream: slow.stream }))(new SlowBody());
    const headers = { ...connection, "Content-Type": "application/json", "Content-Length": String(length) };
    const init = { method: "POST", headers, body: stream, duplex: "half" };
    const answer = server.handle(new Request(endpoint, init));
    if (status === 400) {
      body.send('"short"');
      body.end();
    }
    expect((await answer).status).toBe(status);
  }
});

test.each([
  ["branches", `[${"[],".repeat(700_000)}[]]`, "maxMessageValues"],
  ["nests", `${"[".repeat(600_000)}${"]".repeat(600_000)}`, "maxMessageDepth"],
])("a message that %s out of all proportion is answered with 413", async (_, params, option) => {
  const told: Diagnostic[] = [];
  await using server = createHttpServer({ agent, onDiagnostic: (diagnostic) => told.push(diagnostic) });
  const connection = await open(server);
  const text = `{"jsonrpc":"2.0","id":9,"method":"_acme/do","params":${params}}`;
  for (const headers of [connection, {}]) {
    const answer = await server.handle(posted(text, headers));
    expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining(option)]);
  }
  expect(told).toMatchObject([
    { type: "refused", status: 413 },
    { type: "refused", status: 413 },
  ]);
  await using patient = createHttpServer({ agent, maxMessageDepth: Infinity, maxMessageValues: Infinity });
  expect((await patient.handle(posted(text, await open(patient)))).status).toBe(202);
});

test("a connection opens no more streams for sessions that do not exist than it may", async () => {
  await using server = createHttpServer({ agent, maxUnopenedStreams: 3, maxStreams: 5 });
  const connection = await open(server);
  const streams = new Map<string, Response>();
  const statusFor = async (session: string): Promise<number> => {
    const answer = await server.handle(asked({ ...connection, "Acp-Session-Id": session }));
    if (answer.status === 200) streams.set(session, answer);
    else await answer.body?.cancel();
    return answer.status;
  };
  const own = await server.handle(asked(connection));
  const messages = messagesOf(own);
  expect([await statusFor("a"), await statusFor("b"), await statusFor("c")]).toEqual([200, 200, 200]);
  const refused = await server.handle(asked({ ...connection, "Acp-Session-Id": "d" }));
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("(maxUnopenedStreams)")]);
  // A second reader of a stream is another mistake.
  expect(await statusFor("a")).toBe(409);
  // The agent opens one of these, so another one may wait for that.
  const load = request(2, "session/load", { sessionId: "a", cwd: "/", mcpServers: [] });
  await server.handle(posted(load, { ...connection, "Acp-Session-Id": "a" }));
  expect((await messagesOf(streams.get("a")!).next()).value).toMatchObject({ id: 2, result: {} });
  expect([await statusFor("d"), await statusFor("e")]).toEqual([200, 429]);
  // A new session is open from its answer on.
  await server.handle(posted(newSession, connection));
  const created = (await messages.next()).value as { readonly result: { readonly sessionId: string } };
  expect(await statusFor(created.result.sessionId)).toBe(200);
  await server.handle(posted(newSession, connection));
  const another = (await messages.next()).value as typeof created;
  const full = await server.handle(asked({ ...connection, "Acp-Session-Id": another.result.sessionId }));
  expect([full.status, await full.text()]).toEqual([429, expect.stringContaining("(maxStreams)")]);
  await streams.get("b")?.body?.cancel();
  expect(await statusFor(another.result.sessionId)).toBe(200);
  await server.handle(new Request(endpoint, { method: "DELETE", headers: connection }));
});

/** Says so much to each client that prompts it, without waiting. */
function loud(bytes: number): AgentDefinition {
  return createAgent({
    info,
    sessionId: () => "s1",
    handlers: {
      "session/prompt": async (_params, { turn, signal }) => {
        for (let said = 0; said < bytes && !signal.aborted; said += 100_000)
          turn.message("x".repeat(100_000)).catch(() => {});
        return { stopReason: "end_turn" };
      },
    },
  });
}

async function promptIn(server: HttpServer, connection: object): Promise<void> {
  await server.handle(posted(newSession, { ...connection }));
  const params = { sessionId: "s1", prompt: [{ type: "text", text: "go" }] };
  await server.handle(posted(request(2, "session/prompt", params), { ...connection, "Acp-Session-Id": "s1" }));
}

test("the client with the most unread messages loses its connection when the total exceeds the limit, and the others continue", async () => {
  const told: Diagnostic[] = [];
  let size = 1_000_000;
  await using server = createHttpServer({
    agent: () => loud(size),
    maxTotalBufferedUnits: 6_000_000,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
  });
  const quiet = await open(server);
  await promptIn(server, quiet);
  size = 4_000_000;
  await promptIn(server, await open(server));
  await settled();
  expect(server.connections).toBe(2);
  size = 2_000_000;
  await promptIn(server, await open(server));
  await expect.poll(() => server.connections).toBe(2);
  const closed = told.filter(({ type }) => type === "closed");
  expect(closed).toMatchObject([{ message: expect.stringContaining("(maxTotalBufferedUnits)") }]);
  const messages = messagesOf(await server.handle(asked({ ...quiet, "Acp-Session-Id": "s1" })));
  let last: unknown;
  for await (const message of messages) {
    last = message;
    if (message["id"] === 2) break;
  }
  expect(last).toMatchObject({ id: 2, result: { stopReason: "end_turn" } });
});

/** The server's end of a WebSocket whose client does nothing. */
class DeadSocket extends EventTarget {
  readyState = 1;
  bufferedAmount = 0;
  isTerminated = false;
  closed: unknown[] = [];
  readonly sent: unknown[] = [];
  send(text: string): void {
    this.bufferedAmount += text.length;
    this.sent.push(JSON.parse(text));
  }
  close(...given: unknown[]): void {
    if (this.readyState === 1) this.closed = given;
    this.readyState = 2;
  }
  receive(message: unknown): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }
}

async function connectSocket(server: HttpServer, socket: DeadSocket): Promise<void> {
  const upgrade = await server.upgrade(new Request(endpoint, { headers: { Upgrade: "websocket" } }));
  if (upgrade instanceof Response) throw new Error(await upgrade.text());
  upgrade.accept(socket);
  socket.receive(initialize);
  await expect.poll(() => socket.sent.length).toBe(1);
  socket.receive(newSession);
  await expect.poll(() => socket.sent.length).toBe(2);
}

const prompt = request(2, "session/prompt", { sessionId: "s1", prompt: [{ type: "text", text: "go" }] });

test("a WebSocket that leaves too much unread is ended, without its other side if it can be", async () => {
  const told: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void told.push(diagnostic);
  await using server = createHttpServer({ agent: loud(5_000_000), maxBufferedUnits: 1_000_000, onDiagnostic });
  const plain = new DeadSocket();
  const able = Object.assign(new DeadSocket(), { terminate: () => (able.isTerminated = true) });
  for (const socket of [plain, able]) {
    await connectSocket(server, socket);
    socket.receive(prompt);
  }
  await expect.poll(() => server.connections).toBe(0);
  expect(told.filter(({ type }) => type === "closed")).toMatchObject([
    { message: expect.stringContaining("(maxBufferedUnits)") },
    { message: expect.stringContaining("(maxBufferedUnits)") },
  ]);
  expect(plain.closed).toEqual([1013, "the client left more than 1000000 bytes unread (maxBufferedUnits)"]);
  expect(able.isTerminated).toBe(true);
  for (const { bufferedAmount } of [plain, able]) expect(bufferedAmount).toBeLessThan(1_300_000);
});

test("sockets and streams share the limit of queued data for all, and bytes a socket has sent meanwhile do not count", async () => {
  await using server = createHttpServer({ agent: loud(2_000_000), maxTotalBufferedUnits: 5_000_000 });
  const sockets = [new DeadSocket(), new DeadSocket(), new DeadSocket()];
  for (const socket of sockets) {
    await connectSocket(server, socket);
    socket.receive(prompt);
    await expect.poll(() => socket.bufferedAmount).toBeGreaterThan(2_000_000);
    // Its client has read everything, and nobody has said so.
    socket.bufferedAmount = 0;
  }
  await promptIn(server, await open(server));
  await settled();
  expect(server.connections).toBe(4);
  for (const socket of sockets) socket.receive({ ...prompt, id: 3 });
  await expect.poll(() => server.connections).toBeLessThan(4);
  for (const socket of sockets) socket.dispatchEvent(Object.assign(new Event("close"), { code: 1000 }));
});

test("a WebSocket that sends more than its agent takes is closed at the limit", async () => {
  const told: Diagnostic[] = [];
  const slow = createAgent({
    info,
    handlers: {
      "session/prompt": () => ({ stopReason: "end_turn" }),
      "_acme/note": () => new Promise(() => {}),
    } as never,
  });
  const note = { jsonrpc: "2.0", method: "_acme/note", params: { text: "x".repeat(600_000) } };
  for (const limit of ["maxBufferedUnits", "maxTotalReceivedBytes"] as const) {
    const onDiagnostic = (diagnostic: Diagnostic): void => void told.push(diagnostic);
    await using server = createHttpServer({ agent: slow, [limit]: 3_000_000, onDiagnostic });
    const socket = new DeadSocket();
    await connectSocket(server, socket);
    for (let n = 0; n < 20; n++) socket.receive(note);
    expect(socket.closed).toEqual([1013, expect.stringContaining(`(${limit})`)]);
    await expect.poll(() => server.connections).toBe(0);
    expect(told.splice(0).find(({ type }) => type === "closed")?.message).toContain(limit);
  }
});

test("a message over a WebSocket that branches out of all proportion is answered unparsed", async () => {
  await using server = createHttpServer({ agent });
  const socket = new DeadSocket();
  await connectSocket(server, socket);
  const data = `{"jsonrpc":"2.0","id":9,"method":"_acme/do","params":[${"[],".repeat(700_000)}[]]}`;
  socket.dispatchEvent(Object.assign(new Event("message"), { data }));
  await expect
    .poll(() => socket.sent.at(-1))
    .toMatchObject({ id: 9, error: { code: -32600, message: expect.stringContaining("maxMessageValues") } });
  socket.receive({ ...newSession, id: 10 });
  await expect.poll(() => socket.sent.at(-1)).toMatchObject({ id: 10, result: {} });
  socket.dispatchEvent(Object.assign(new Event("close"), { code: 1000 }));
});

test("a WebSocket that sends nothing is closed after a while, and one that has sent something may be idle", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  await using server = createHttpServer({ agent, idleTimeout: 60_000 });
  const silent = new DeadSocket();
  const talking = new DeadSocket();
  for (const socket of [silent, talking]) {
    const upgrade = await server.upgrade(new Request(endpoint, { headers: { Upgrade: "websocket" } }));
    if (upgrade instanceof Response) throw new Error(await upgrade.text());
    upgrade.accept(socket);
  }
  talking.receive(initialize);
  await expect.poll(() => talking.sent.length).toBe(1);
  vi.advanceTimersByTime(59_000);
  expect(server.connections).toBe(2);
  vi.advanceTimersByTime(1000);
  await expect.poll(() => server.connections).toBe(1);
  expect(silent.closed).toEqual([1013, "the client sent nothing for 60000 ms (idleTimeout)"]);
  vi.advanceTimersByTime(600_000);
  expect(server.connections).toBe(1);
  talking.dispatchEvent(Object.assign(new Event("close"), { code: 1000 }));
  expect(vi.getTimerCount()).toBe(0);
});
