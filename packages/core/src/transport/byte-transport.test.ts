import { contentLength, MessageTooLargeError } from "@acp/framing";
import { describe, expect, test } from "vitest";
import { ConnectionClosedError } from "../base/errors.ts";
import { type ByteTransportOptions, createByteTransport } from "./byte-transport.ts";
import { nextUncaught } from "./testing/next-uncaught.ts";
import { recordingSink } from "./testing/recording-sink.ts";
import { scriptedPipe } from "./testing/scripted-pipe.ts";

const macrotask = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function startedTransport(options?: ByteTransportOptions) {
  const pipe = scriptedPipe();
  const transport = createByteTransport(pipe, options);
  const sink = recordingSink();
  transport.start(sink);
  return { pipe, transport, sink };
}

describe("createByteTransport() writes", () => {
  test("everything queued in one piece at the end of the microtask when a request is among it (TRAN-13/both)", async () => {
    const { pipe, transport } = startedTransport();
    void transport.send("1", "later");
    void transport.send("2", "soon");
    void transport.send("3", "later");
    expect(pipe.writes).toEqual([]);
    await Promise.resolve();
    expect(pipe.writes).toEqual(["1\n2\n3\n"]);
    await macrotask();
    expect(pipe.writes.length).toBe(1);
  });

  test("notifications in one piece at the end of the macrotask, across microtasks (TRAN-13/both)", async () => {
    const { pipe, transport } = startedTransport();
    for (let n = 0; n < 100; n++) await transport.send(String(n), "later");
    expect(pipe.writes).toEqual([]);
    await macrotask();
    expect(pipe.writes).toEqual([Array.from({ length: 100 }, (_, n) => `${n}\n`).join("")]);
  });

  test("at once when 64 Ki code units are queued", () => {
    const { pipe, transport } = startedTransport();
    const text = "x".repeat(32 * 1024);
    void transport.send(text, "later");
    expect(pipe.writes.length).toBe(0);
    void transport.send(text, "later");
    expect(pipe.writes).toEqual([`${text}\n${text}\n`]);
  });

  test("and its sender waits for the full pipe", async () => {
    const { pipe, transport } = startedTransport();
    pipe.block();
    expect(transport.send("x".repeat(60_000), "later")).toBeUndefined();
    expect(transport.send("y".repeat(60_000), "later")).toBeInstanceOf(Promise);
    expect(pipe.writes).toEqual([`${"x".repeat(60_000)}\n`]);
  });

  test("sixteen requests or answers of one microtask at once: the peer can start with them", async () => {
    const { pipe, transport } = startedTransport();
    for (let n = 0; n < 40; n++) {
      void transport.send(String(n), "soon");
      expect(pipe.writes.length).toBe(Math.floor((n + 1) / 16));
    }
    await Promise.resolve();
    expect(pipe.writes.length).toBe(3);
    expect(pipe.writes.join("")).toBe(Array.from({ length: 40 }, (_, n) => `${n}\n`).join(""));
  });

  test("in order, without interleaving, when several tasks send at once (TRAN-17)", async () => {
    const { pipe, transport } = startedTransport();
    const expected: string[] = [];
    const task = async (name: string): Promise<void> => {
      for (let n = 0; n < 200; n++) {
        const text = JSON.stringify({ name, n, padding: "y".repeat(n * 7) });
        expected.push(text);
        await transport.send(text, n % 3 === 0 ? "soon" : "later");
        if (n % 50 === 0) await macrotask();
      }
    };
    await Promise.all(["a", "b", "c"].map(task));
    await transport.close();
    expect(pipe.writes.join("")).toBe(expected.map((text) => `${text}\n`).join(""));
    expect(pipe.writes.length).toBeLessThan(300);
  });

  test("in the framing that was asked for (TRAN-11)", async () => {
    const { pipe, transport, sink } = startedTransport({ framing: contentLength });
    void transport.send('"é"', "soon");
    await Promise.resolve();
    expect(pipe.writes).toEqual(['Content-Length: 4\r\n\r\n"é"']);
    pipe.receive('Content-Length: 4\r\n\r\n"é"');
    expect(sink.messages).toEqual(['"é"']);
  });

  test("in pieces of up to 64 Ki code units when much is queued", async () => {
    const { pipe, transport } = startedTransport();
    pipe.block();
    void transport.send("first", "soon");
    await Promise.resolve();
    const text = "x".repeat(20 * 1024);
    for (let n = 0; n < 10; n++) void transport.send(text, "soon");
    pipe.unblock();
    await macrotask();
    expect(pipe.writes.map((write) => write.length)).toEqual(
      [6, 3, 3, 3, 1].map((n, at) => (at === 0 ? n : n * (text.length + 1))),
    );
  });
});

describe("createByteTransport() over a slow pipe", () => {
  test("writes one piece each time there is room", async () => {
    const { pipe, transport } = startedTransport();
    pipe.block();
    const text = "x".repeat(700 * 1024);
    for (let n = 0; n < 4; n++) void transport.send(text, "soon");
    for (let written = 1; written <= 4; written++) {
      await macrotask();
      expect(pipe.writes.length).toBe(written);
      pipe.unblock();
      pipe.block();
    }
  });

  test("continues when a write's promise rejects, since the pipe's end reports why", async () => {
    const pipe = scriptedPipe();
    let isFirst = true;
    const transport = createByteTransport({
      ...pipe,
      write(bytes) {
        void pipe.write(bytes);
        const room = isFirst ? Promise.reject(new Error("no room")) : undefined;
        isFirst = false;
        return room;
      },
    });
    transport.start(recordingSink());
    void transport.send("1", "soon");
    await macrotask();
    void transport.send("2", "soon");
    await macrotask();
    expect(pipe.writes).toEqual(["1\n", "2\n"]);
  });

  test("hands everything over in order on flush(), for a process that ends in this turn", async () => {
    const { pipe, transport } = startedTransport();
    await transport.send("1", "later");
    await transport.send("2", "later");
    void transport.flush?.();
    expect(pipe.writes).toEqual(["1\n2\n"]);
    pipe.block();
    const text = "x".repeat(40 * 1024);
    for (let n = 0; n < 4; n++) void transport.send(text, "later");
    expect(pipe.writes.length).toBe(2);
    void transport.flush?.();
    expect(pipe.writes.join("")).toBe(`1\n2\n${`${text}\n`.repeat(4)}`);
    void transport.flush?.();
    expect(pipe.writes.join("").length).toBe(4 + 4 * (text.length + 1));
  });

  test("the promise of flush() settles with the pipe's flush(), or with its last write", async () => {
    const pipe = scriptedPipe();
    let written = (): void => {};
    const own = createByteTransport({ ...pipe, flush: () => new Promise((resolve) => (written = resolve)) });
    own.start(recordingSink());
    await own.send("1", "later");
    let isFlushed = false;
    const flushed = Promise.resolve(own.flush?.()).then(() => (isFlushed = true));
    await macrotask();
    expect([pipe.writes, isFlushed]).toEqual([["1\n"], false]);
    written();
    await flushed;

    const slow = scriptedPipe();
    let room = (): void => {};
    const other = createByteTransport({ ...slow, write: () => new Promise((resolve) => (room = resolve)) });
    other.start(recordingSink());
    await other.send("1", "later");
    isFlushed = false;
    const drained = Promise.resolve(other.flush?.()).then(() => (isFlushed = true));
    await macrotask();
    expect(isFlushed).toBe(false);
    room();
    await drained;
  });

  test("flush() does not throw if the pipe does", async () => {
    const pipe = scriptedPipe();
    const broken = new Error("broken");
    const transport = createByteTransport({
      ...pipe,
      write() {
        throw broken;
      },
    });
    const sink = recordingSink();
    transport.start(sink);
    void transport.send("1", "later");
    void transport.flush?.();
    expect(await sink.ended).toBe(broken);
  });

  test("writes nothing more once the pipe has failed", async () => {
    const { pipe, transport } = startedTransport();
    void transport.send("1", "soon");
    pipe.endInput(new Error("broken"));
    await transport.close();
    expect(pipe.writes).toEqual([]);
  });
});

describe("createByteTransport() send()", () => {
  test("throws at once for a message that can never go out, and the others go out", async () => {
    const { pipe, transport } = startedTransport({ maxMessageBytes: 10 });
    void transport.send("1", "soon");
    expect(() => transport.send('"12345678€"', "soon")).toThrow(MessageTooLargeError);
    expect(() => transport.send("{\n}", "soon")).toThrow(TypeError);
    void transport.send("2", "soon");
    await Promise.resolve();
    expect(pipe.writes).toEqual(["1\n2\n"]);
  });

  test("stops a sender that waits while the pipe is blocked and 32 Ki code units are queued", async () => {
    const { pipe, transport, sink } = startedTransport();
    pipe.block();
    const text = "x".repeat(8 * 1024);
    let sent = 0;
    const sender = (async () => {
      for (; sent < 100; sent++) await transport.send(text, "later");
    })();
    for (let n = 0; n < 20; n++) await macrotask();
    // 8 in the pipe, 4 up to the mark, and then the one that has to wait.
    expect(sent).toBe(12);
    expect(pipe.writes.length).toBe(1);
    pipe.unblock();
    await sender;
    await transport.close();
    expect(pipe.writes.join("").length).toBe(100 * (text.length + 1));
    expect(sink.queueNotices).toEqual([]);
  });

  test("tells the sink each time 16 Mi code units pile up because nobody waits, and of each doubling", async () => {
    const { pipe, transport, sink } = startedTransport();
    const text = "x".repeat(1024 * 1024);
    for (let round = 1; round <= 2; round++) {
      pipe.block();
      for (let n = 0; n < 40; n++) void transport.send(text, "later");
      const told = [17 * text.length, 33 * text.length];
      expect(sink.queueNotices).toEqual(round === 1 ? told : [...told, ...told]);
      pipe.unblock();
      await macrotask();
    }
    expect(pipe.writes.join("").length).toBe(80 * (text.length + 1));
  });

  test("throws a ConnectionClosedError after close and after the pipe has failed, not after the input's end", async () => {
    const closed = startedTransport();
    await closed.transport.close();
    expect(() => closed.transport.send("1", "soon")).toThrow(ConnectionClosedError);

    const failed = startedTransport();
    const reason = new Error("broken");
    failed.pipe.endInput(reason);
    expect(() => failed.transport.send("1", "soon")).toThrow(expect.objectContaining({ cause: reason }));

    const halfOpen = startedTransport();
    halfOpen.pipe.endInput();
    void halfOpen.transport.send("1", "soon");
    await Promise.resolve();
    expect(halfOpen.pipe.writes).toEqual(["1\n"]);
  });

  test("releases a sender that waits when the pipe fails", async () => {
    const { pipe, transport, sink } = startedTransport();
    pipe.block();
    const text = "x".repeat(1024 * 1024);
    void transport.send(text, "soon");
    void transport.send(text, "soon");
    const waiting = transport.send(text, "soon");
    expect(waiting).toBeInstanceOf(Promise);
    pipe.endInput(new Error("broken"));
    await waiting;
    expect(sink.events).toEqual(["closed broken"]);
  });
});

describe("createByteTransport() delivers", () => {
  test("messages and issues in order", () => {
    const { pipe, sink } = startedTransport();
    pipe.receive('{"a":');
    pipe.receive(Uint8Array.of(0x31, 0x7d, 0x0a, 0xff, 0x0a, 0x7b, 0x7d, 0x0a));
    expect(sink.events).toEqual(['message {"a":1}', "issue invalid-utf8", "message {}"]);
  });

  test("a last message without newline before the end, and the end once", async () => {
    const { pipe, transport, sink } = startedTransport();
    pipe.receive('{"last":1}');
    pipe.endInput();
    pipe.endInput(new Error("again"));
    pipe.receive("{}\n");
    expect(sink.events).toEqual(['message {"last":1}']);
    await new Promise((resolve) => setImmediate(resolve));
    await transport.close();
    expect(sink.events).toEqual(['message {"last":1}', "closed"]);
  });

  test("passes pause and resume on to the pipe", () => {
    const { pipe, transport } = startedTransport();
    transport.pause();
    transport.resume();
    expect(pipe.calls).toEqual(["pause", "resume"]);
  });

  test("messages even when the observer of traffic throws, whose error is not swallowed", async () => {
    const failure = new Error("observer");
    const { pipe, transport, sink } = startedTransport({
      onTraffic() {
        throw failure;
      },
    });
    const uncaught = nextUncaught();
    pipe.receive("1\n2\n");
    expect(await uncaught).toBe(failure);
    expect(sink.messages).toEqual(["1", "2"]);
    await transport.close();
  });

  test("traffic to its observer, in both directions", async () => {
    const seen: string[] = [];
    const { pipe, transport, sink } = startedTransport({ onTraffic: (...entry) => void seen.push(entry.join(" ")) });
    void transport.send("1", "later");
    pipe.receive("2\n");
    expect(seen).toEqual(["sent 1", "received 2"]);
    expect(sink.messages).toEqual(["2"]);
    await transport.close();
  });
});

describe("createByteTransport() close()", () => {
  test("writes the queue, closes the pipe once, and ends the sink", async () => {
    const { pipe, transport, sink } = startedTransport();
    void transport.send("1", "later");
    await Promise.all([transport.close(), transport.close()]);
    expect(pipe.writes).toEqual(["1\n"]);
    expect(pipe.calls).toEqual(["close"]);
    expect(sink.events).toEqual(["closed"]);
  });

  test("hands over the queue even when the pipe is blocked, and releases waiting callers", async () => {
    const { pipe, transport } = startedTransport();
    const text = "x".repeat(1024 * 1024);
    pipe.block();
    void transport.send(text, "soon");
    void transport.send("2", "soon");
    const waiting = transport.send(text, "soon");
    await transport.close();
    await waiting;
    expect(pipe.writes.join("")).toBe(`${text}\n2\n${text}\n`);
  });

  test("does not reject when the pipe cannot close, and gives the sink the reason", async () => {
    const pipe = scriptedPipe();
    const transport = createByteTransport({ ...pipe, close: () => Promise.reject(new Error("stuck")) });
    const sink = recordingSink();
    transport.start(sink);
    await transport.close();
    expect(sink.events).toEqual(["closed stuck"]);
  });

  test("ends the sink with the reason when the pipe throws on a write", async () => {
    const pipe = scriptedPipe();
    const transport = createByteTransport({
      ...pipe,
      write() {
        throw new Error("no pipe");
      },
    });
    const sink = recordingSink();
    transport.start(sink);
    void transport.send("x".repeat(64 * 1024), "later");
    expect(sink.events).toEqual([]);
    expect(() => transport.send("2", "soon")).toThrow(ConnectionClosedError);
    expect(await sink.ended).toEqual(new Error("no pipe"));
    expect(sink.events).toEqual(["closed no pipe"]);
  });

  test("closes the pipe even if that throws for the queue", async () => {
    const pipe = scriptedPipe();
    let closes = 0;
    const transport = createByteTransport({
      ...pipe,
      write() {
        throw new Error("no pipe");
      },
      close: async () => void closes++,
    });
    const sink = recordingSink();
    transport.start(sink);
    void transport.send("1", "later");
    await transport.close();
    expect(closes).toBe(1);
    expect(sink.events).toEqual(["closed no pipe"]);
  });
});
