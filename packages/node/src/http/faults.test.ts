// What goes wrong on a network, between a client and a server on real sockets.
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";

import { type ConnectedAgent, createAgent, createClient, type Diagnostic } from "@acp/core";
import {
  createHttpServer,
  createHttpTransport,
  HttpError,
  type HttpServerOptions,
  type HttpTransportOptions,
} from "@acp/http";
import { afterEach, expect, test, vi } from "vitest";

import { nodeHttpHandler } from "./node-http-handler.ts";
import { type Listener, listen } from "./testing/listen.ts";

const ends: (() => Promise<unknown>)[] = [];
let diagnostics: Diagnostic[] = [];
let said = 0;
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).toReversed()) await end();
  diagnostics = [];
  said = 0;
});

const agent = createAgent({
  info: { name: "agent", version: "1" },
  handlers: {
    "session/load": () => ({}),
    "session/resume": () => ({}),
    "session/close": () => ({}),
    "session/prompt": async ({ prompt }, { turn, signal }) => {
      const [block] = prompt;
      const text = block?.type === "text" ? block.text : "";
      if (text === "flood") {
        for (; said < 40_000 && !signal.aborted; said++) await turn.message(`${said} ${"x".repeat(1000)}`);
        return { stopReason: signal.aborted ? "cancelled" : "end_turn" };
      }
      await turn.message("waiting");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { stopReason: "cancelled" };
    },
  },
});

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean | void;

/** Serves the agent. `intercept` sees requests first, and says whether it has dealt with one. */
async function serve(
  intercept: Intercept = () => false,
  options: Partial<HttpServerOptions> = {},
): Promise<Listener & { readonly http: ReturnType<typeof createHttpServer> }> {
  const http = createHttpServer({ agent, ...options });
  const handle = nodeHttpHandler(http);
  const listener = await listen((request, response) => {
    if (intercept(request, response) !== true) handle(request, response);
  });
  ends.push(
    () => http.close(),
    () => listener.close(),
  );
  return { ...listener, http };
}

async function connected(
  url: string,
  onUpdate: () => void | Promise<void> = () => {},
  options: HttpTransportOptions = {},
): Promise<ConnectedAgent> {
  const client = createClient({
    info: { name: "client", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: { "session/update": onUpdate },
  });
  const made = await client.connect(createHttpTransport(url, options));
  ends.push(() => made.close());
  return made;
}

test("a server that dies in the middle of a turn ends the connection with an error; nothing hangs", async () => {
  const server = await serve();
  const remote = await connected(server.url, undefined, { resumeTimeout: 1 });
  const session = await remote.newSession({ cwd: "/" });
  const turn = session.prompt("wait");
  for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") break;
  await server.close();
  const error: unknown = await turn.response.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ code: "http_failed", message: expect.stringContaining("could not be resumed") });
  await remote.closed;
  await expect(session.prompt("again").response).rejects.toBe(error);
  expect(diagnostics.map(({ type }) => type)).toEqual(["closed"]);
});

/** Hides that the server takes each message once, as servers of others do not. */
const fetchFromOthers: HttpTransportOptions["fetch"] = async (url, init) => {
  const response = await fetch(url, init);
  const headers = new Headers(response.headers);
  headers.delete("Acp-Message-Number");
  return new Response(response.body, { status: response.status, headers });
};

test("a message that a server of others may have taken is not sent again, and the error says so", async () => {
  let prompts = 0;
  const server = await serve((request) => {
    if (request.method !== "POST" || prompts === 0) return false;
    prompts++;
    request.socket.resetAndDestroy();
    return true;
  });
  const remote = await connected(server.url, undefined, { fetch: fetchFromOthers });
  const session = await remote.newSession({ cwd: "/" });
  prompts = 1;
  const error: unknown = await session.prompt("wait").response.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "http_failed",
    message: expect.stringMatching(
      /^POST .* for session\/prompt had no answer: read ECONNRESET; the connection was closed, and whether the server has taken it is not known/,
    ),
  });
  expect(prompts).toBe(2);
});

test("initialize whose network connection closes before the answer is sent again", async () => {
  let attempts = 0;
  const server = await serve((request) => {
    if (request.method !== "POST" || ++attempts > 1) return false;
    request.socket.end();
    return true;
  });
  const remote = await connected(server.url);
  expect((await remote.newSession({ cwd: "/" })).id).toBeTypeOf("string");
  expect(server.http.connections).toBe(1);
});

test.each([
  ["before the server has taken it", false],
  ["after the server has taken it", true],
])("a message whose network connection closes %s is sent again, and handled once", async (_, isTaken) => {
  const numbers: unknown[] = [];
  let sessions = 0;
  let onSession = (): void => {};
  const counting = createAgent({
    info: { name: "agent", version: "1" },
    sessionId: () => {
      onSession();
      return `session ${++sessions}`;
    },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
  });
  const http = createHttpServer({ agent: counting });
  const handle = nodeHttpHandler(http);
  const listener = await listen((request, response) => {
    const number = request.headers["acp-message-number"];
    if (number !== undefined) numbers.push(number);
    if (number === undefined || numbers.length > 1) return handle(request, response);
    if (!isTaken) return void request.socket.end();
    onSession = () => void request.socket.destroy();
    // Its answer is never sent.
    handle(request, new ServerResponse(request));
  });
  ends.push(
    () => http.close(),
    () => listener.close(),
  );
  const remote = await connected(listener.url);
  expect((await remote.newSession({ cwd: "/" })).id).toBe("session 1");
  await expect.poll(() => numbers).toEqual(["1", "1"]);
  expect(sessions).toBe(1);
});

test("a request on a network connection that the server has ended is not lost: the next one gets its event", async () => {
  const server = await serve();
  const headers = { "Content-Type": "application/json" };
  const body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}';
  const initialized = await fetch(server.url, { method: "POST", headers, body });
  const id = initialized.headers.get("Acp-Connection-Id") ?? "";
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  const [served] = (await once(server.server, "connection")) as [Socket];
  served.end();
  await once(socket.resume(), "end");
  socket.write(`GET /acp HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAcp-Connection-Id: ${id}\r\n\r\n`);
  await once(served, "close");
  socket.destroy();
  const stream = await fetch(server.url, { headers: { Accept: "text/event-stream", "Acp-Connection-Id": id } });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("a client whose process is gone leaves nothing: its turns end, and its connection with them", async () => {
  // Node.js has timers of its own, so the network goes on.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const idleTimeout = 60_000;
  let isGone = false;
  const server = await serve(
    (request) => {
      // The client of this test is still there, and would come back.
      if (isGone) request.destroy();
      return isGone;
    },
    { idleTimeout },
  );
  const remote = await connected(server.url);
  const session = await remote.newSession({ cwd: "/" });
  const turn = session.prompt("wait");
  turn.response.catch(() => {});
  for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") break;
  vi.advanceTimersByTime(2 * idleTimeout);
  expect(server.http.connections).toBe(1);
  isGone = true;
  server.server.closeAllConnections();
  const connectionsLater = (): number => {
    vi.advanceTimersByTime(idleTimeout);
    return server.http.connections;
  };
  await expect.poll(connectionsLater).toBe(0);
});

test("a client that is slow slows the agent down, all the way through the sockets, and misses nothing", async () => {
  const server = await serve();
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let handled = 0;
  const remote = await connected(server.url, () => {
    handled++;
    return held;
  });
  const session = await remote.newSession({ cwd: "/" });
  const { response } = session.prompt("flood");
  let before = -1;
  // Some megabytes fit into sockets and buffers; then it stands still.
  await expect
    .poll(
      () => {
        const stands = said > 0 && said === before;
        before = said;
        return stands;
      },
      { interval: 300 },
    )
    .toBe(true);
  expect(said).toBeLessThan(39_000);
  expect(handled).toBe(1);
  goOn();
  expect((await response).stopReason).toBe("end_turn");
  expect(handled).toBe(40_000);
});

test("a stream that is cut off continues where it was", async () => {
  let cut = (): void => {};
  let opened = 0;
  const server = await serve((request, response) => {
    if (request.method !== "GET" || request.headers["acp-session-id"] === undefined) return;
    opened++;
    cut = () => response.destroy();
  });
  const remote = await connected(server.url);
  const session = await remote.newSession({ cwd: "/" });
  const turn = session.prompt("wait");
  for await (const update of turn.updates) {
    if (update.sessionUpdate !== "agent_message_chunk") continue;
    cut();
    await expect.poll(() => opened).toBe(2);
    turn.cancel();
  }
  expect((await turn.response).stopReason).toBe("cancelled");
  expect(diagnostics).toEqual([]);
});

test("a stream of a server of others that is cut off fails its session, and no other one", async () => {
  let cut = (): void => {};
  let broken = "";
  const server = await serve((request, response) => {
    if (request.method === "GET" && request.headers["acp-session-id"] === broken) cut = () => response.destroy();
  });
  const remote = await connected(server.url, undefined, { fetch: fetchFromOthers });
  const other = await remote.newSession({ cwd: "/" });
  const going = other.prompt("wait");
  broken = "loaded";
  const session = await remote.resumeSession({ sessionId: broken, cwd: "/" });
  const turn = session.prompt("wait");
  for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") break;
  cut();
  await expect(turn.response).rejects.toMatchObject({
    code: "request_failed",
    message: expect.stringContaining("what was on its way is lost"),
  });
  expect(diagnostics).toMatchObject([{ type: "framing", issue: { code: "interrupted-stream" } }]);
  going.cancel();
  expect((await going.response).stopReason).toBe("cancelled");
});

test("a stream that the server ends in an orderly way is opened again: the turn continues", async () => {
  const streams: ServerResponse[] = [];
  const server = await serve((request, response) => {
    if (request.method === "GET") streams.push(response);
  });
  const remote = await connected(server.url);
  const session = await remote.newSession({ cwd: "/" });
  const turn = session.prompt("wait");
  for await (const update of turn.updates) {
    if (update.sessionUpdate !== "agent_message_chunk") continue;
    for (const stream of streams.splice(0)) stream.end();
    await expect.poll(() => streams.length).toBe(2);
    turn.cancel();
  }
  expect((await turn.response).stopReason).toBe("cancelled");
  expect(diagnostics).toEqual([]);
});

test("a session that was closed is loaded again at once, though its stream may not have ended for the server", async () => {
  const server = await serve();
  const remote = await connected(server.url);
  let session = await remote.newSession({ cwd: "/" });
  for (let n = 0; n < 10; n++) {
    await session.close();
    session = await remote.loadSession({ sessionId: session.id, cwd: "/" });
  }
  const turn = session.prompt("wait");
  for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") turn.cancel();
  expect((await turn.response).stopReason).toBe("cancelled");
  expect(diagnostics).toEqual([]);
});

test("a body over the limit is refused with 413, even when it is sent without a length", async () => {
  const server = await serve(undefined, { maxMessageBytes: 100_000 });
  const statusOf = async (headers: Record<string, string>): Promise<number | undefined> => {
    const made = httpRequest(server.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
    });
    made.on("error", () => {});
    const answered = once(made, "response") as Promise<[IncomingMessage]>;
    made.end(Buffer.alloc(3_000_000, " "));
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  };
  expect(await statusOf({ "Content-Length": "3000000" })).toBe(413);
  expect(await statusOf({ "Transfer-Encoding": "chunked" })).toBe(413);
  await (await connected(server.url)).close();
});

test("interrupted requests, and bytes that are not HTTP, do not disturb the server", async () => {
  const server = await serve();
  const head = "POST /acp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
  for (const bytes of [
    `${head}{"jsonrpc`,
    "\0\0\0\r\n\r\n",
    "GET /acp HTTP/1.1\r\nHost: a b\r\n\r\n",
    "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
  ]) {
    const socket = connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 10));
    socket.destroy();
  }
  await (await connected(server.url)).close();
  await expect.poll(() => server.http.connections).toBe(0);
});

test("many connections at once: as many as there may be, the others are refused, and all places are given back", async () => {
  const server = await serve(undefined, { maxConnections: 20 });
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => connected(server.url)));
  const there = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  expect(there).toHaveLength(20);
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  expect(String(refused?.reason)).toContain("503");
  await Promise.all(there.map((remote) => remote.close()));
  await expect.poll(() => server.http.connections).toBe(0);
});

test.each(["client", "server", "both"])(
  "closing the %s while everything is under way ends everything",
  async (side) => {
    const server = await serve();
    const remote = await connected(server.url);
    const sessions = await Promise.all(Array.from({ length: 5 }, () => remote.newSession({ cwd: "/" })));
    const turns = sessions.flatMap((session, n) => session.prompt(n % 2 === 0 ? "flood" : "wait").response);
    const settled = Promise.allSettled(turns);
    await expect.poll(() => said).toBeGreaterThan(100);
    if (side !== "server") void remote.close();
    if (side !== "client") void server.http.close();
    await remote.closed;
    await settled;
    await expect.poll(() => server.http.connections).toBe(0);
  },
);
