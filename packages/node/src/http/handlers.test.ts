// What the handlers do with clients that go, and with what they do not read.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";

import { createAgent } from "@acp/core";
import { createHttpServer, type HttpServer } from "@acp/http";
import { afterEach, expect, test } from "vitest";

import { nodeHttpHandler } from "./node-http-handler.ts";
import { nodeUpgradeHandler } from "./node-upgrade-handler.ts";
import { type Listener, listen } from "./testing/listen.ts";

const agent = createAgent({
  info: { name: "agent", version: "1" },
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
});

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function serve(http: HttpServer): Promise<Listener> {
  // No WebSocket gets as far here.
  const none = { on: () => {}, handleUpgrade: () => {} };
  const listener = await listen(nodeHttpHandler(http), nodeUpgradeHandler(http, none));
  ends.push(
    () => http.close(),
    () => listener.close(),
  );
  return listener;
}

async function open(url: string): Promise<string> {
  const params = { protocolVersion: 1, clientInfo: { name: "client", version: "1" } };
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
  });
  await response.text();
  return response.headers.get("Acp-Connection-Id") ?? "";
}

/** A socket to the server that stays half open, as clients are that never end it. */
async function socketTo({ port }: Listener): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  ends.push(async () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

test("a client that goes before its stream is there leaves it to the next one", async () => {
  let goOn: (() => void) | undefined;
  let isHeld = false;
  const http = createHttpServer({
    agent,
    authorize: () => (isHeld ? new Promise<true>((resolve) => (goOn = () => resolve(true))) : true),
  });
  const listener = await serve(http);
  const id = await open(listener.url);
  const headers = { Accept: "text/event-stream", "Acp-Connection-Id": id };
  isHeld = true;
  const gone = httpRequest(listener.url, { headers });
  gone.on("error", () => {});
  const arrived = once(listener.server, "request");
  gone.end();
  const [, response] = await arrived;
  await expect.poll(() => goOn).toBeDefined();
  gone.destroy();
  await once(response, "close");
  isHeld = false;
  goOn?.();
  await new Promise((resolve) => setImmediate(resolve));
  const stream = await fetch(listener.url, { headers });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("a body that is refused without a look ends its network connection, once its client has the whole answer", async () => {
  const listener = await serve(createHttpServer({ agent }));
  const socket = await socketTo(listener);
  let answered = "";
  socket.on("data", (chunk: Buffer) => (answered += chunk.toString()));
  const body = Buffer.alloc(5_000_000, " ");
  socket.write(`POST /acp HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.write(body);
  socket.write("GET /acp HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "end");
  expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 415"]);
  const [head = "", words = ""] = answered.split("\r\n\r\n");
  expect(head).toMatch(/^connection: close\r?$/im);
  expect(head).toMatch(new RegExp(`^content-length: ${words.length}\r?$`, "im"));
  // The next request comes on another one.
  expect((await fetch(listener.url)).status).toBe(406);
});

test("a refused WebSocket leaves no socket, whatever its client does", async () => {
  const http = createHttpServer({ agent, authorize: () => new Response("Log in first", { status: 401 }) });
  const listener = await serve(http);
  const socket = await socketTo(listener);
  let answered = "";
  socket.on("data", (chunk: Buffer) => (answered += chunk.toString()));
  socket.write("GET /acp HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await expect.poll(() => answered).toMatch(/^HTTP\/1\.1 401 .*Log in first$/s);
  const sockets = (): Promise<number> =>
    new Promise((resolve) => listener.server.getConnections((_error, count) => resolve(count)));
  await expect.poll(sockets).toBe(0);
});

test("nodeHttpHandler() takes any handler of web requests, and answers 500 when it rejects or throws", async () => {
  const handle = async (request: Request): Promise<Response> => {
    if (request.url.endsWith("/fails")) throw new Error("secret");
    return Response.json({ said: await request.text() });
  };
  const throws = (): never => {
    throw new Error("secret");
  };
  const answering = await listen(nodeHttpHandler({ handle }));
  const throwing = await listen(nodeHttpHandler({ handle: throws }));
  ends.push(answering.close, throwing.close);
  const response = await fetch(answering.url, { method: "POST", body: "hello" });
  expect(await response.json()).toEqual({ said: "hello" });
  for (const url of [`${answering.url}/fails`, throwing.url]) {
    const failed = await fetch(url);
    expect([failed.status, await failed.text()]).toEqual([500, ""]);
  }
});

test("nodeHttpHandler() answers 500 when it is given the same Response again, or none", async () => {
  const sent = new Response("hello");
  const answers = [sent, sent, undefined];
  const listener = await listen(nodeHttpHandler({ handle: () => answers.shift() as Response }));
  ends.push(listener.close);
  const said: unknown[] = [];
  for (let n = 0; n < 3; n++) {
    const response = await fetch(listener.url);
    said.push(response.status, await response.text());
  }
  expect(said).toEqual([200, "hello", 500, "", 500, ""]);
});

test("nodeHttpHandler() says so when something else has read the body of a request", async () => {
  const handler = nodeHttpHandler(createHttpServer({ agent }));
  const listener = await listen((request, response) => {
    // As middleware does that parses bodies.
    request.on("data", () => {});
    request.on("end", () => handler(request, response));
  });
  ends.push(listener.close);
  const response = await fetch(listener.url, { method: "POST", body: "{}" });
  expect([response.status, await response.text()]).toEqual([
    500,
    "Something has read the body before: put nodeHttpHandler in front of it, such as express.json()",
  ]);
});

test("a request that asks for HTTP/2 by an upgrade is answered as any other", async () => {
  const listener = await serve(createHttpServer({ agent }));
  const socket = await socketTo(listener);
  let answered = "";
  socket.on("data", (chunk: Buffer) => (answered += chunk.toString()));
  const params = { protocolVersion: 1, clientInfo: { name: "é".repeat(50_000), version: "1" } };
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }));
  const head = (line: string, ...headers: readonly string[]): string =>
    [
      line,
      "Host: x",
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AA",
      ...headers,
      "",
      "",
    ].join("\r\n");
  // The body comes behind the head, in pieces.
  socket.write(head("POST /acp HTTP/1.1", "Content-Type: application/json", `Content-Length: ${body.length}`));
  for (let at = 0; at < body.length; at += 30_001) {
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(body.subarray(at, at + 30_001));
  }
  await expect.poll(() => answered).toContain('"protocolVersion":1');
  expect(answered).toMatch(/^HTTP\/1\.1 200 /);
  const id = /acp-connection-id: (\S+)/i.exec(answered)?.[1];
  answered = "";
  socket.write(head("GET /acp HTTP/1.1", "Accept: text/event-stream", `Acp-Connection-Id: ${id}`));
  await expect.poll(() => answered).toMatch(/^HTTP\/1\.1 200 .*:\n\n/s);
});

test("an answer without a body has the length that it says, or none where its status has none", async () => {
  const answers = [
    ["GET", new Response(null), "0"],
    ["GET", new Response(null, { status: 204 }), null],
    ["HEAD", new Response(null, { headers: { "Content-Length": "5" } }), "5"],
  ] as const;
  for (const [method, answer, length] of answers) {
    const listener = await listen(nodeHttpHandler({ handle: () => answer }));
    ends.push(() => listener.close());
    const { headers } = await fetch(listener.url, { method });
    expect(headers.get("content-length")).toBe(length);
  }
});
