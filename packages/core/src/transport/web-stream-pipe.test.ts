import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { contentLength, ndjson } from "@acp/framing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ConnectionClosedError } from "../base/errors.ts";
import { recordingSink } from "./testing/recording-sink.ts";
import { createStreamTransport, createWebStreamPipe, type WebStreams } from "./web-stream-pipe.ts";

const macrotask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

/** Two ends of a channel of bytes, as streams. */
function streamPair(): [WebStreams, WebStreams] {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

function transportPair() {
  const [one, other] = streamPair();
  const left = createStreamTransport(one);
  const right = createStreamTransport(other);
  const leftSink = recordingSink();
  const rightSink = recordingSink();
  left.start(leftSink);
  right.start(rightSink);
  return { left, right, leftSink, rightSink, one, other };
}

describe("createStreamTransport()", () => {
  test("carries messages in both directions, in order, and ends both sides when one closes", async () => {
    const { left, right, leftSink, rightSink } = transportPair();
    for (let n = 0; n < 1000; n++) {
      void left.send(`"left ${n}"`, "later");
      void right.send(`"right ${n}"`, "soon");
    }
    await macrotask();
    await macrotask();
    await left.close();
    expect(await rightSink.ended).toBeUndefined();
    await right.close();
    expect(rightSink.messages).toEqual(Array.from({ length: 1000 }, (_, n) => `"left ${n}"`));
    expect(leftSink.messages).toEqual(Array.from({ length: 1000 }, (_, n) => `"right ${n}"`));
    expect(leftSink.events.filter((event) => event.startsWith("closed"))).toEqual(["closed"]);
    expect(rightSink.events.filter((event) => event.startsWith("closed"))).toEqual(["closed"]);
  });

  test("stops a sender that waits while the reader is paused, and loses nothing", async () => {
    const { left, right, rightSink } = transportPair();
    right.pause();
    const text = JSON.stringify("x".repeat(64 * 1024));
    let sent = 0;
    const sender = (async () => {
      for (; sent < 200; sent++) await left.send(text, "later");
    })();
    for (let n = 0; n < 50; n++) await macrotask();
    expect(sent).toBeGreaterThan(1);
    expect(sent).toBeLessThan(20);
    right.resume();
    await sender;
    await left.close();
    await rightSink.ended;
    expect(rightSink.messages.length).toBe(200);
  });

  test("close() settles when the peer is gone, and send() throws afterwards", async () => {
    const { left, leftSink, other } = transportPair();
    await left.send("1", "soon");
    await macrotask();
    await other.writable.abort?.(new Error("gone")).catch(() => {});
    void left.send("2", "soon");
    await left.close();
    expect(leftSink.events.length).toBe(1);
    expect(() => left.send("3", "soon")).toThrow(ConnectionClosedError);
  });
});

describe("createStreamTransport() at the end", () => {
  test("close() waits until a slow writable has taken everything", async () => {
    let written = 0;
    const transport = createStreamTransport({
      readable: new ReadableStream(),
      writable: new WritableStream({
        async write(chunk) {
          await macrotask();
          written += chunk.length;
        },
      }),
    });
    transport.start(recordingSink());
    const text = "x".repeat(50_000);
    for (let n = 0; n < 50; n++) void transport.send(text, "later");
    await transport.close();
    expect(written).toBe(50 * (text.length + 1));
  });

  test("close() settles when reading is paused, and its sink receives the end once", async () => {
    const { right, rightSink } = transportPair();
    right.pause();
    await right.close();
    right.resume();
    expect(rightSink.events).toEqual(["closed"]);
  });

  test("send() still works when the input has ended in an orderly way", async () => {
    const written: Uint8Array[] = [];
    const transport = createStreamTransport({
      readable: new ReadableStream({
        start(controller) {
          controller.enqueue(ndjson.encode(["question"]));
          controller.close();
        },
      }),
      writable: new WritableStream({ write: (chunk) => void written.push(chunk) }),
    });
    const sink = recordingSink();
    transport.start(sink);
    expect(await sink.ended).toBeUndefined();
    void transport.send("answer", "soon");
    await transport.close();
    expect(sink.events).toEqual(["message question", "closed"]);
    expect(written).toEqual([ndjson.encode(["answer"])]);
  });
});

describe("createWebStreamPipe()", () => {
  test("locks the streams, and releases them when it is closed", async () => {
    const [one] = streamPair();
    const pipe = createWebStreamPipe(one);
    expect([one.readable.locked, one.writable.locked]).toEqual([true, true]);
    await pipe.close();
    expect([one.readable.locked, one.writable.locked]).toEqual([false, false]);
  });

  test("cancels the readable when it is closed, and takes no more", async () => {
    let isCancelled = false;
    const written: Uint8Array[] = [];
    const pipe = createWebStreamPipe({
      readable: new ReadableStream({ cancel: () => void (isCancelled = true) }),
      writable: new WritableStream({ write: (chunk) => void written.push(chunk) }),
    });
    void pipe.write(Uint8Array.of(1));
    await Promise.all([pipe.close(), pipe.close()]);
    void pipe.write(Uint8Array.of(2));
    expect(isCancelled).toBe(true);
    expect(written).toEqual([Uint8Array.of(1)]);
  });

  test("gives the reason when the readable fails, and aborts the writable", async () => {
    let aborted: unknown;
    const transport = createStreamTransport({
      readable: new ReadableStream({ start: (controller) => controller.error(new Error("read failure")) }),
      writable: new WritableStream({ abort: (reason) => void (aborted = reason) }),
    });
    const sink = recordingSink();
    transport.start(sink);
    expect(await sink.ended).toEqual(new Error("read failure"));
    await transport.close();
    expect(aborted).toEqual(new Error("read failure"));
  });

  test("still delivers the peer's last messages when the writable has failed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let input!: ReadableStreamDefaultController<Uint8Array>;
    const transport = createStreamTransport({
      readable: new ReadableStream({ start: (controller) => void (input = controller) }),
      writable: new WritableStream({ write: () => Promise.reject(new Error("write failure")) }),
    });
    const sink = recordingSink();
    transport.start(sink);
    void transport.send("1", "soon");
    await macrotask();
    input.enqueue(ndjson.encode(["last words"]));
    input.close();
    expect(await sink.ended).toEqual(new Error("write failure"));
    expect(sink.messages).toEqual(["last words"]);
    expect(vi.getTimerCount()).toBe(0);
    await transport.close();
  });

  test("ends a second after the writable has failed when nothing more comes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let cancelled: unknown;
    const transport = createStreamTransport({
      readable: new ReadableStream({ cancel: (reason) => void (cancelled = reason) }),
      writable: new WritableStream({ write: () => Promise.reject(new Error("write failure")) }),
    });
    const sink = recordingSink();
    transport.start(sink);
    void transport.send("1", "soon");
    await macrotask();
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(sink.events).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await sink.ended).toEqual(new Error("write failure"));
    expect(cancelled).toEqual(new Error("write failure"));
    await transport.close();
  });
});

describe.each([ndjson, contentLength])("createStreamTransport() over a child's stdio, $name", (framing) => {
  test("gets back its messages through cat, and both end", async () => {
    const child = spawn("cat", { stdio: ["pipe", "pipe", "inherit"] });
    const exited = once(child, "exit");
    const transport = createStreamTransport(
      { readable: Readable.toWeb(child.stdout), writable: Writable.toWeb(child.stdin) },
      { framing },
    );
    const sink = recordingSink();
    let settle!: () => void;
    const all = new Promise<void>((resolve) => (settle = resolve));
    const texts = Array.from({ length: 500 }, (_, n) => JSON.stringify({ n, text: "é€😀\n".repeat(n) }));
    transport.start({
      ...sink,
      message(text) {
        sink.message(text);
        if (sink.messages.length === texts.length) settle();
      },
    });
    for (const [index, text] of texts.entries()) await transport.send(text, index % 2 === 0 ? "soon" : "later");
    await all;
    expect(sink.messages).toEqual(texts);
    await transport.close();
    expect(await exited).toEqual([0, null]);
    expect(sink.issues).toEqual([]);
  });

  test("close() settles when the child was killed", async () => {
    const child = spawn("cat", { stdio: ["pipe", "pipe", "inherit"] });
    const exited = once(child, "exit");
    const transport = createStreamTransport(
      { readable: Readable.toWeb(child.stdout), writable: Writable.toWeb(child.stdin) },
      { framing },
    );
    const sink = recordingSink();
    transport.start(sink);
    child.kill("SIGKILL");
    await exited;
    for (let n = 0; n < 100; n++) {
      try {
        await transport.send(`"${"x".repeat(100_000)}"`, "soon");
      } catch (error) {
        expect(error).toBeInstanceOf(ConnectionClosedError);
        break;
      }
    }
    await transport.close();
    await sink.ended;
  });
});
