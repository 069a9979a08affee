import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { describe, expect, test } from "vitest";
import { type WebSocket as WsSocket, WebSocketServer } from "ws";
import { createWebSocketTransport } from "./web-socket-transport.ts";
import { recordingSink } from "./testing/recording-sink.ts";
import { socketPair } from "./testing/text-channels.ts";

describe("createWebSocketTransport()", () => {
  test("flush() resolves once the socket has sent everything, or is closed", async () => {
    const socket = {
      readyState: 0,
      bufferedAmount: 0,
      send(text: string) {
        socket.bufferedAmount += text.length;
      },
      close: () => {},
      listeners: new Map<string, (event: unknown) => void>(),
      addEventListener(type: string, listener: (event: unknown) => void) {
        socket.listeners.set(type, listener);
      },
    };
    const transport = createWebSocketTransport(socket);
    void transport.send("1", "soon");
    let isFlushed = false;
    const flush = (): Promise<unknown> => Promise.resolve(transport.flush?.()).then(() => (isFlushed = true));
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
    const flushed = flush();
    await pause();
    expect(isFlushed).toBe(false);
    socket.readyState = 1;
    socket.listeners.get("open")?.({});
    await pause();
    expect([socket.bufferedAmount, isFlushed]).toEqual([1, false]);
    socket.bufferedAmount = 0;
    await flushed;
    void transport.send("2", "soon");
    const closed = flush();
    socket.readyState = 3;
    await closed;
  });

  test("sends messages from before the socket was open, in order", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const transport = createWebSocketTransport(new WebSocket(`ws://127.0.0.1:${port}`));
    transport.start(recordingSink());
    void transport.send("1", "later");
    void transport.send("2", "soon");
    const [socket]: WsSocket[] = await once(server, "connection");
    const received: string[] = [];
    socket?.on("message", (data: Buffer) => received.push(data.toString()));
    await expect.poll(() => received).toEqual(["1", "2"]);
    await transport.close();
    server.close();
  });

  test("a socket that cannot connect is an end with a reason, and close() settles", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const transport = createWebSocketTransport(new WebSocket(`ws://127.0.0.1:${port}`));
    const sink = recordingSink();
    transport.start(sink);
    void transport.send("lost", "soon");
    const place = new RegExp(`^The WebSocket could not be opened: code 1006 \\(ws://127.0.0.1:${port}/: .+\\)$`);
    expect(await sink.ended).toMatchObject({ message: expect.stringMatching(place) });
    await transport.close();
    expect(sink.events.length).toBe(1);
  });

  test("rejects a value that is neither a URL nor a socket, with an explanation", () => {
    for (const given of [undefined, null, 7, {}, { addEventListener: true }]) {
      const attempt = (): unknown => createWebSocketTransport(given as never);
      expect(attempt).toThrow(
        /^createWebSocketTransport\(\) takes a URL or a WebSocket, got (?:undefined|null|number|another object)$/,
      );
    }
  });

  test("close() abandons a socket that is still connecting", async () => {
    // Takes the connection and never answers.
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const transport = createWebSocketTransport(new WebSocket(`ws://127.0.0.1:${port}`));
    const sink = recordingSink();
    transport.start(sink);
    void transport.send("waits", "soon");
    const [accepted] = await once(server, "connection");
    await transport.close();
    expect(sink.events.length).toBe(1);
    accepted.destroy();
    server.close();
  });

  test.each([
    [1000, "", undefined],
    [1001, "", undefined],
    [undefined, "", undefined],
    [1011, "out of memory", "The WebSocket was closed with code 1011: out of memory"],
    [4401, "", "The WebSocket was closed with code 4401"],
  ])("the close code %s with %j ends with %j", async (code, reason, expected) => {
    const { ours, theirs } = await socketPair();
    const transport = createWebSocketTransport(ours);
    const sink = recordingSink();
    transport.start(sink);
    theirs.close(code, reason);
    expect((await sink.ended)?.message).toBe(expected);
  });

  test("a connection that breaks ends with a reason", async () => {
    const { ours, theirs } = await socketPair();
    const transport = createWebSocketTransport(ours);
    const sink = recordingSink();
    transport.start(sink);
    theirs.terminate();
    expect(await sink.ended).toBeInstanceOf(Error);
    expect(() => transport.send("x", "soon")).toThrow("Cannot send, the transport is closed");
  });

  test("a socket that was closed already ends with a reason", async () => {
    const { ours, theirs } = await socketPair();
    theirs.close();
    await new Promise((resolve) => ours.addEventListener("close", resolve));
    const sink = recordingSink();
    createWebSocketTransport(ours).start(sink);
    expect((await sink.ended)?.message).toBe("The WebSocket was closed before it was used");
  });

  test("a peer that does not read stops a sender that waits", async () => {
    const { ours, theirs } = await socketPair();
    const transport = createWebSocketTransport(ours);
    transport.start(recordingSink());
    theirs.pause();
    const text = "x".repeat(64 * 1024);
    let sent = 0;
    const stop = new AbortController();
    const sender = (async () => {
      for (; !stop.signal.aborted && sent < 1000; sent++) await transport.send(text, "later");
    })();
    let before = -1;
    while (sent !== before) {
      before = sent;
      await new Promise((resolve) => void setTimeout(resolve, 200));
    }
    // What the socket and the system hold, and no more.
    expect(sent).toBeLessThan(500);
    stop.abort();
    theirs.resume();
    await sender;
    await transport.close();
  });

  test("tells the sink when 16 MiB wait, and of each doubling", async () => {
    const { ours, theirs } = await socketPair();
    const transport = createWebSocketTransport(ours);
    const sink = recordingSink();
    transport.start(sink);
    theirs.pause();
    const text = "x".repeat(1024 * 1024);
    for (let n = 0; n < 60; n++) void transport.send(text, "later");
    expect(sink.queueNotices.length).toBe(2);
    expect(sink.queueNotices[0]).toBeGreaterThan(16 * 1024 * 1024);
    expect(sink.queueNotices[1]).toBeGreaterThan(32 * 1024 * 1024);
    theirs.resume();
    await transport.close();
  });
});
