import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, expect, test } from "vitest";
import { type WebSocket as WsSocket, WebSocketServer } from "ws";

import { recordingSink } from "../testing/recording-sink.ts";
import { createWebSocketTransport } from "../web-socket-transport.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A client's socket as the server sees it. */
interface Accepted {
  readonly socket: WsSocket;
  readonly query: string;
  readonly received: string[];
}

async function serve(): Promise<{
  readonly url: string;
  readonly server: WebSocketServer;
  readonly accepted: Accepted[];
}> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const accepted: Accepted[] = [];
  server.on("connection", (socket: WsSocket, { url }: IncomingMessage) => {
    const received: string[] = [];
    socket.on("message", (data: Buffer) => received.push(data.toString()));
    accepted.push({ socket, query: url ?? "", received });
  });
  ends.push(() => {
    for (const { socket } of accepted) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp?a=b`, server, accepted };
}

test("a server that cannot resume gets messages alone, and the connection ends with its socket", async () => {
  const { url, accepted } = await serve();
  const transport = createWebSocketTransport(url);
  const sink = recordingSink();
  transport.start(sink);
  void transport.send('{"n":1}', "soon");
  await expect.poll(() => accepted[0]?.received).toEqual(['{"n":1}']);
  expect(accepted[0]?.query).toBe("/acp?a=b&acp-resume=new");
  accepted[0]?.socket.send('{"n":2}');
  accepted[0]?.socket.send("resumable late");
  await expect.poll(() => sink.messages).toEqual(['{"n":2}', "resumable late"]);
  accepted[0]?.socket.terminate();
  expect(String(await sink.ended)).toContain("1006");
  expect(accepted).toHaveLength(1);
});

test("a resuming server gets missing messages on the next socket, and repeats those the client lacks", async () => {
  const { url, accepted } = await serve();
  const transport = createWebSocketTransport(url);
  const sink = recordingSink();
  transport.start(sink);
  void transport.send('{"n":1}', "soon");
  await expect.poll(() => accepted[0]?.received).toEqual(['{"n":1}']);
  accepted[0]?.socket.send("resumable one");
  accepted[0]?.socket.send('{"n":2}');
  await expect.poll(() => sink.messages).toEqual(['{"n":2}']);
  void transport.send('{"n":3}', "soon");
  void transport.send('{"n":4}', "soon");
  accepted[0]?.socket.terminate();
  await expect.poll(() => accepted[1]?.received).toEqual(["resume one 1"]);
  expect(accepted[1]?.query).toBe("/acp?a=b&acp-resume=again");
  accepted[1]?.socket.send("resumed 2");
  accepted[1]?.socket.send('{"n":5}');
  await expect.poll(() => accepted[1]?.received).toEqual(["resume one 1", '{"n":4}']);
  await expect.poll(() => sink.messages).toEqual(['{"n":2}', '{"n":5}']);
  await transport.close();
  await expect.poll(() => accepted[1]?.received.at(-1)).toBe("end");
});

test("a server that refuses to resume ends the connection with its reason", async () => {
  const { url, accepted } = await serve();
  const transport = createWebSocketTransport(url);
  const sink = recordingSink();
  transport.start(sink);
  await expect.poll(() => accepted).toHaveLength(1);
  accepted[0]?.socket.send("resumable one");
  // Without `end`, an orderly end of the socket is that of a proxy.
  accepted[0]?.socket.close(1000);
  await expect.poll(() => accepted[1]?.received).toEqual(["resume one 0"]);
  accepted[1]?.socket.send("refused it has ended");
  expect(String(await sink.ended)).toContain("The WebSocket broke and could not be resumed: it has ended");
});

test("a server that ends the connection in order is not asked again", async () => {
  const { url, accepted } = await serve();
  const transport = createWebSocketTransport(url);
  const sink = recordingSink();
  transport.start(sink);
  await expect.poll(() => accepted).toHaveLength(1);
  accepted[0]?.socket.send("resumable one");
  accepted[0]?.socket.send("end");
  expect(await sink.ended).toBeUndefined();
  expect(accepted).toHaveLength(1);
});

test("a server that is gone ends the connection after resumeTimeout", async () => {
  const { url, server, accepted } = await serve();
  const transport = createWebSocketTransport(url, { resumeTimeout: 1 });
  const sink = recordingSink();
  transport.start(sink);
  await expect.poll(() => accepted).toHaveLength(1);
  accepted[0]?.socket.send("resumable one");
  void transport.send('{"n":1}', "soon");
  await expect.poll(() => accepted[0]?.received).toHaveLength(1);
  server.close();
  accepted[0]?.socket.terminate();
  expect(String(await sink.ended)).toContain("could not be resumed");
});

test("rejects a URL that is not a WebSocket's", () => {
  expect(() => createWebSocketTransport("/acp")).toThrow("/acp is no URL of a WebSocket");
  expect(() => createWebSocketTransport("ftp://localhost")).toThrow("is no URL of a WebSocket");
});
