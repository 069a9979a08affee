import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { recordingSink } from "./testing/recording-sink.ts";
import { createWebSocketTransport } from "./web-socket-transport.ts";

const ends: (() => void)[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => {
  vi.useRealTimers();
  for (const end of ends.splice(0)) end();
});

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000);
/** What is on its way between the sockets gets there. */
const arrive = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Both sockets of a connection; `ours` is the client's or the server's, with a transport. */
async function connect(side: "client" | "server", host = "0.0.0.0") {
  const server = new WebSocketServer({ port: 0, host });
  await once(server, "listening");
  const client = new WebSocket(`ws://${host}:${(server.address() as AddressInfo).port}`);
  const [accepted, { socket: raw }] = (await once(server, "connection")) as [WebSocket, IncomingMessage];
  const [ours, theirs] = side === "client" ? [client, accepted] : [accepted, client];
  const sink = recordingSink();
  const transport = createWebSocketTransport(ours);
  transport.start(sink);
  if (client.readyState !== WebSocket.OPEN) await once(client, "open");
  let pings = 0;
  theirs.on("ping", () => pings++);
  ends.push(() => [client, theirs, ours].forEach((socket) => socket.terminate()), server.close.bind(server));
  return { ours, theirs, sink, transport, raw, pings: () => pings };
}

describe.each(["client", "server"] as const)("a WebSocket of the package ws, as %s", (side) => {
  test("ends when nothing comes any more, though the other side had answered pings", async () => {
    const { theirs, sink, pings } = await connect(side);
    for (let beat = 1; beat <= 20; beat++) {
      await pass(15);
      await arrive();
      expect(pings()).toBe(beat);
    }
    // As if the network were gone.
    theirs.pause();
    await pass(8 * 15);
    await arrive();
    expect(sink.events).toEqual([]);
    await pass(15);
    expect(await sink.ended).toMatchObject({
      message: "received nothing for 120 seconds, and no answer to a ping",
    });
  });

  test("continues while messages come", async () => {
    const { ours, theirs, sink } = await connect(side);
    const pong = once(ours, "pong");
    await pass(15);
    await pong;
    // It answers no more.
    theirs.pong = () => {};
    for (let minute = 0; minute < 10; minute++) {
      theirs.send("{}");
      await arrive();
      await pass(60);
    }
    expect(sink.events).toEqual(Array.from({ length: 10 }, () => "message {}"));
  });

  test("continues while the other side is slow with messages sent before the pings", async () => {
    const { ours, theirs, sink } = await connect(side);
    const pong = once(ours, "pong");
    await pass(15);
    await pong;
    theirs.pause();
    // More than the system holds.
    ours.send("x".repeat(32 * 1024 * 1024));
    await arrive();
    for (let minute = 0; minute < 10; minute++) {
      await pass(60);
      await arrive();
    }
    expect(sink.events).toEqual([]);
  });

  test("continues where no ping was ever answered", async () => {
    const { theirs, sink } = await connect(side);
    theirs.pause();
    await pass(3600);
    expect(sink.events).toEqual([]);
  });
});

test("a WebSocket of the package ws continues while a long message arrives", async () => {
  const { theirs, sink, raw } = await connect("client");
  await pass(15);
  await arrive();
  // Nothing can come between: the message is one frame.
  const header = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 42]);
  theirs.pong = () => {};
  raw.write(header);
  for (let part = 0; part < 40; part++) {
    raw.write("x");
    await arrive();
    await pass(15);
  }
  raw.write("yz");
  await expect.poll(() => sink.events).toEqual([`message ${"x".repeat(40)}yz`]);
});

test("a client does not ping a server on its own machine, which a debugger may pause", async () => {
  const { pings } = await connect("client", "127.0.0.1");
  await pass(60);
  await arrive();
  expect(pings()).toBe(0);
});
