import { describe, expect, test } from "vitest";
import { ConnectionClosedError } from "../base/errors.ts";
import { createMemoryTransportPair } from "./memory-transport.ts";
import { nextUncaught } from "./testing/next-uncaught.ts";
import { recordingSink } from "./testing/recording-sink.ts";

const macrotask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

function startedPair() {
  const [left, right] = createMemoryTransportPair();
  const leftSink = recordingSink();
  const rightSink = recordingSink();
  left.start(leftSink);
  right.start(rightSink);
  return { left, right, leftSink, rightSink };
}

describe("createMemoryTransportPair()", () => {
  test("delivers in order, and not inside send, when both flush wishes are mixed", async () => {
    const { left, rightSink } = startedPair();
    void left.send("1", "later");
    void left.send("2", "soon");
    void left.send("3", "later");
    expect(rightSink.messages).toEqual([]);
    await Promise.resolve();
    expect(rightSink.messages).toEqual(["1", "2", "3"]);
  });

  test("delivers at the end of the macrotask when nothing is urgent", async () => {
    const { left, rightSink } = startedPair();
    void left.send("1", "later");
    await Promise.resolve();
    expect(rightSink.messages).toEqual([]);
    await macrotask();
    await macrotask();
    expect(rightSink.messages).toEqual(["1"]);
  });

  test("does not deliver inside another delivery when a handler answers", async () => {
    const [left, right] = createMemoryTransportPair();
    const events: string[] = [];
    left.start({ ...recordingSink(), message: (text) => void events.push(`left ${text}`) });
    right.start({
      ...recordingSink(),
      message(text) {
        events.push(`right ${text}`);
        void right.send(`answer ${text}`, "soon");
        if (text === "1") void left.send("2", "soon");
        events.push(`handled ${text}`);
      },
    });
    void left.send("1", "soon");
    await macrotask();
    expect(events).toEqual(["right 1", "handled 1", "left answer 1", "right 2", "handled 2", "left answer 2"]);
  });

  test("keeps messages sent before start", async () => {
    const [left, right] = createMemoryTransportPair();
    left.start(recordingSink());
    void left.send("early", "soon");
    await macrotask();
    const sink = recordingSink();
    right.start(sink);
    await macrotask();
    expect(sink.messages).toEqual(["early"]);
  });

  test("stops between two messages of a batch when the reader pauses, and continues in order", async () => {
    const [left, right] = createMemoryTransportPair();
    left.start(recordingSink());
    const seen: string[] = [];
    right.start({
      ...recordingSink(),
      message(text) {
        seen.push(text);
        right.pause();
      },
    });
    for (let n = 0; n < 50; n++) void left.send(String(n), "soon");
    for (let n = 0; n < 50; n++) {
      await Promise.resolve();
      expect(seen.length).toBe(n + 1);
      right.resume();
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  });

  test("stops a sender that waits when the reader is paused", async () => {
    const { left, right, rightSink } = startedPair();
    right.pause();
    const text = "x".repeat(64 * 1024);
    for (let n = 0; n < 4; n++) expect(left.send(text, "later")).toBeUndefined();
    right.resume();
    await macrotask();
    right.pause();
    let sent = 0;
    const sender = (async () => {
      for (; sent < 100; sent++) await left.send(text, "later");
    })();
    for (let n = 0; n < 20; n++) await macrotask();
    expect(sent).toBe(4);
    expect(rightSink.messages.length).toBe(4);
    right.resume();
    await sender;
    await left.close();
    expect(rightSink.messages.length).toBe(104);
  });

  test("tells the sender's sink each time 16 Mi code units wait, and of each doubling", async () => {
    const { left, right, leftSink } = startedPair();
    const text = "x".repeat(1024 * 1024);
    right.pause();
    for (let n = 0; n < 40; n++) void left.send(text, "later");
    const told = [17 * text.length, 33 * text.length];
    expect(leftSink.queueNotices).toEqual(told);
    right.resume();
    await macrotask();
    right.pause();
    // More than a doubling at once is told once.
    void left.send("x".repeat(40 * text.length), "later");
    void left.send(text, "later");
    expect(leftSink.queueNotices).toEqual([...told, 40 * text.length]);
  });

  test("close() ends both sides once, after sent messages are delivered", async () => {
    const { left, right, leftSink, rightSink } = startedPair();
    void left.send("last", "later");
    await Promise.all([left.close(), left.close()]);
    expect(rightSink.events).toEqual(["message last", "closed"]);
    expect(leftSink.events).toEqual(["closed"]);
    await right.close();
    expect(rightSink.events).toEqual(["message last", "closed"]);
    expect(() => left.send("x", "soon")).toThrow(ConnectionClosedError);
    expect(() => right.send("x", "soon")).toThrow(ConnectionClosedError);
  });

  test("close() does not wait for a paused reader, which still gets everything", async () => {
    const { left, right, rightSink } = startedPair();
    right.pause();
    void left.send("last", "soon");
    await left.close();
    expect(rightSink.events).toEqual([]);
    right.resume();
    await macrotask();
    expect(rightSink.events).toEqual(["message last", "closed"]);
  });

  test("close() settles a peer's sender that waits for room", async () => {
    const { left, right } = startedPair();
    right.pause();
    const waiting = left.send("x".repeat(2 * 1024 * 1024), "soon");
    expect(waiting).toBeInstanceOf(Promise);
    await right.close();
    await waiting;
    expect(() => left.send("x", "soon")).toThrow(ConnectionClosedError);
  });

  test("drops messages to a closed side, and does not wait for it", async () => {
    const { left, right, rightSink } = startedPair();
    left.pause();
    void right.send("last", "soon");
    await right.close();
    // Its reader is paused, and has yet to hear of that.
    for (let n = 0; n < 3; n++) expect(left.send("x".repeat(1024 * 1024), "soon")).toBeUndefined();
    left.resume();
    await macrotask();
    expect(rightSink.events).toEqual(["closed"]);
    expect(() => left.send("x", "soon")).toThrow(ConnectionClosedError);
  });

  test("close() settles when the reader pauses in the middle of a message", async () => {
    const [left, right] = createMemoryTransportPair();
    const seen: string[] = [];
    left.start(recordingSink());
    right.start({
      ...recordingSink(),
      message(text) {
        seen.push(text);
        right.pause();
      },
    });
    void left.send("1", "soon");
    void left.send("2", "soon");
    await left.close();
    expect(seen).toEqual(["1"]);
  });

  test("delivers nothing more when a side closes in the middle of a batch", async () => {
    const [left, right] = createMemoryTransportPair();
    const seen: string[] = [];
    const leftSink = recordingSink();
    left.start(leftSink);
    right.start({
      ...recordingSink(),
      message(text) {
        seen.push(text);
        void right.close();
      },
    });
    for (const text of ["1", "2", "3"]) void left.send(text, "soon");
    await macrotask();
    expect(seen).toEqual(["1"]);
    expect(leftSink.events).toEqual(["closed"]);
  });

  test("delivers the rest, and the end, when a sink throws, whose error is not swallowed", async () => {
    const [left, right] = createMemoryTransportPair();
    const failure = new Error("sink");
    const seen: string[] = [];
    left.start(recordingSink());
    right.start({
      ...recordingSink(),
      message(text) {
        seen.push(text);
        throw failure;
      },
      closed: () => void seen.push("closed"),
    });
    for (const text of ["1", "2", "3"]) void left.send(text, "soon");
    const uncaught = nextUncaught();
    await left.close();
    expect(await uncaught).toBe(failure);
    expect(seen).toEqual(["1", "2", "3", "closed"]);
  });
});
