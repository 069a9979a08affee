// WebSockets that break: which connections go on, for whom, and for how long.
import { createAgent, type WebSocketLike } from "@acp/core";
import { afterEach, expect, test, vi } from "vitest";

import { createHttpServer, type HttpServer } from "../src/server/http-server.ts";
import { initialize } from "./support/in-process.ts";

type Listener = (event: unknown) => void;

/** The server's end of a socket, with what a client sees of it. */
class FakeSocket implements WebSocketLike {
  readyState = 1;
  readonly bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly #listeners: [type: string, listener: Listener][] = [];

  send(text: string): void {
    if (this.readyState === 1) this.sent.push(text);
  }

  close(code = 1005): void {
    this.break(code);
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener]);
  }

  receive(data: string): void {
    this.#emit("message", { data });
  }

  break(code = 1006): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#emit("close", { code });
  }

  #emit(type: string, event: unknown): void {
    for (const [wanted, listener] of this.#listeners) if (wanted === type) listener(event);
  }
}

const agent = createAgent({
  info: { name: "agent", version: "1" },
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
});

afterEach(() => void vi.useRealTimers());

async function accepted(server: HttpServer, query: string, user = "ada"): Promise<FakeSocket> {
  const headers = { Upgrade: "websocket", Authorization: user };
  const upgrade = await server.upgrade(new Request(`http://localhost/acp${query}`, { headers }));
  if (upgrade instanceof Response) throw new Error(`${upgrade.status}: ${await upgrade.text()}`);
  const socket = new FakeSocket();
  upgrade.accept(socket);
  return socket;
}

/** A server that knows its users by name. */
function serve(resumeTimeout?: number): HttpServer {
  const authorize = (request: Request): object => ({ user: request.headers.get("Authorization") });
  return createHttpServer({ authorize, agent, resumeTimeout });
}

/** Opens a connection that can be resumed; returns its id. */
async function opened(server: HttpServer): Promise<{ readonly socket: FakeSocket; readonly id: string }> {
  const socket = await accepted(server, "?acp-resume=new");
  socket.receive(JSON.stringify(initialize));
  await expect.poll(() => socket.sent).toHaveLength(2);
  const [, id = ""] = /^resumable (\S+)$/.exec(socket.sent[0] ?? "") ?? [];
  return { socket, id };
}

test("a client that did not ask for it sees nothing but messages, and its connection ends with its socket", async () => {
  await using server = serve();
  const socket = await accepted(server, "");
  socket.receive(JSON.stringify(initialize));
  await expect.poll(() => socket.sent).toEqual([expect.stringMatching(/^\{"jsonrpc":"2.0","id":0,"result"/)]);
  socket.break();
  await expect.poll(() => server.connections).toBe(0);
});

test("a server whose resumeTimeout is 0 does not offer it", async () => {
  await using server = serve(0);
  const socket = await accepted(server, "?acp-resume=new");
  socket.receive(JSON.stringify(initialize));
  await expect.poll(() => socket.sent).toEqual([expect.stringMatching(/^\{/)]);
});

test("another socket continues where the first one broke: each side repeats the messages the other lacks", async () => {
  await using server = serve();
  const { socket, id } = await opened(server);
  const request = (n: number): string =>
    JSON.stringify({ jsonrpc: "2.0", id: n, method: "session/new", params: { cwd: "/", mcpServers: [] } });
  socket.receive(request(1));
  await expect.poll(() => socket.sent).toHaveLength(3);
  socket.break();
  expect(server.connections).toBe(1);
  // It has the answer to initialize, and not the other one.
  const next = await accepted(server, "?acp-resume=again");
  next.receive(`resume ${id} 1`);
  expect(next.sent).toEqual(["resumed 2", socket.sent[2]]);
  next.receive(request(2));
  await expect.poll(() => next.sent).toHaveLength(3);
  expect(JSON.parse(next.sent[2] ?? "")).toMatchObject({ id: 2, result: {} });
});

test("a socket takes the connection over from one whose end nobody has noticed", async () => {
  await using server = serve();
  const { socket, id } = await opened(server);
  const next = await accepted(server, "?acp-resume=again");
  next.receive(`resume ${id} 1`);
  expect([next.sent, socket.readyState]).toEqual([["resumed 1"], 3]);
  expect(server.connections).toBe(1);
});

test("only the identity that has opened a connection may continue with it", async () => {
  await using server = serve();
  const { socket, id } = await opened(server);
  socket.break();
  const others = await accepted(server, "?acp-resume=again", "eve");
  others.receive(`resume ${id} 1`);
  const unknown = await accepted(server, "?acp-resume=again", "eve");
  unknown.receive("resume 00000000-0000-0000-0000-000000000000 1");
  expect(others.sent).toEqual(["refused there is no such connection, or it has ended"]);
  expect(unknown.sent).toEqual(others.sent);
  expect([others.readyState, unknown.readyState, server.connections]).toEqual([3, 3, 1]);
});

test("a client that asks for discarded messages is refused", async () => {
  await using server = serve();
  const { socket, id } = await opened(server);
  socket.receive("received 1");
  socket.break();
  const next = await accepted(server, "?acp-resume=again");
  next.receive(`resume ${id} 0`);
  expect(next.sent).toEqual(["refused what the client lacks is not kept any longer"]);
});

test("a connection waits for its client as long as resumeTimeout, and one that is ended in order does not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  await using server = serve(60_000);
  const lost = await opened(server);
  lost.socket.break();
  const ended = await opened(server);
  ended.socket.receive("end");
  await vi.waitFor(() => expect(server.connections).toBe(1));
  vi.advanceTimersByTime(59_000);
  expect(server.connections).toBe(1);
  await vi.waitFor(() => {
    vi.advanceTimersByTime(1000);
    expect(server.connections).toBe(0);
  });
});

test("a socket that does not say which connection it is for is ended", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  await using server = serve();
  const socket = await accepted(server, "?acp-resume=again");
  vi.advanceTimersByTime(10_000);
  expect(socket.sent).toEqual(["refused the socket did not say which connection it is for"]);
  expect(socket.readyState).toBe(3);
});

test("a client whose connection ends by a limit learns which one, and does not come back", async () => {
  await using server = createHttpServer({ agent, maxTotalReceivedBytes: 100 });
  const socket = await accepted(server, "?acp-resume=new");
  socket.receive(JSON.stringify(initialize));
  expect(socket.sent.at(-1)).toMatch(/^refused .*maxTotalReceivedBytes/);
  expect(socket.readyState).toBe(3);
  await expect.poll(() => server.connections).toBe(0);
});
