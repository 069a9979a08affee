import { afterEach, describe, expect, test } from "vitest";
import { MessageTooLargeError } from "@acp/framing";
import { ConnectionClosedError } from "../base/errors.ts";
import { createAgent, createClient } from "../v1/index.ts";
import { nextUncaught } from "./testing/next-uncaught.ts";
import { recordingSink } from "./testing/recording-sink.ts";
import { messagePorts, type TextChannelPair, webSockets } from "./testing/text-channels.ts";
import type { TransportOptions } from "./transport-options.ts";

const pairs: TextChannelPair[] = [];
afterEach(async () => {
  await Promise.all(pairs.splice(0).flatMap(({ left, right }) => [left.close(), right.close()]));
});

const macrotask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 5));

describe.each([
  ["createWebSocketTransport()", webSockets],
  ["createMessagePortTransport()", messagePorts],
])("%s", (_name, open) => {
  async function startedPair(options?: TransportOptions, right = options) {
    const pair = await open(options, right);
    pairs.push(pair);
    const leftSink = recordingSink();
    const rightSink = recordingSink();
    pair.left.start(leftSink);
    pair.right.start(rightSink);
    return { ...pair, leftSink, rightSink };
  }

  test("TRAN-14/both, TRAN-15/both: carries whole sessions between a client and an agent", async () => {
    const { left, right } = await open();
    pairs.push({ left, right, postOther() {} });
    const agent = createAgent({
      info: { name: "agent", version: "1" },
      handlers: {
        "session/prompt": async (_params, { turn, signal }) => {
          const call = await turn.toolCall({ title: "Edit", kind: "edit" });
          const { outcome } = await call.requestPermission();
          await turn.message(outcome);
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { stopReason: "cancelled" };
        },
      },
    });
    const client = createClient({
      info: { name: "client", version: "1" },
      handlers: {
        "session/request_permission": ({ options: [first] }) => ({
          outcome: { outcome: "selected", optionId: first?.optionId ?? "" },
        }),
      },
    });
    const serving = agent.connect(right);
    const connected = await client.connect(left);
    const session = await connected.newSession({ cwd: "/project" });
    const turn = session.prompt("go");
    const seen: string[] = [];
    for await (const update of turn.updates) {
      seen.push(update.sessionUpdate);
      if (update.sessionUpdate === "agent_message_chunk") {
        expect(update.content).toEqual({ type: "text", text: "selected" });
        turn.cancel();
      }
    }
    expect(seen).toEqual(["tool_call", "agent_message_chunk"]);
    expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
    await connected.close();
    await serving.closed;
  });

  test("delivers whole texts in order, with any flush and size", async () => {
    const { left, rightSink } = await startedPair();
    const texts = Array.from({ length: 500 }, (_, n) => `${n} ☃ \u2028 ${"x".repeat(n % 7 === 0 ? 50_000 : 1)}`);
    for (const [n, text] of texts.entries()) void left.send(text, n % 3 === 0 ? "soon" : "later");
    await left.close();
    await rightSink.ended;
    expect(rightSink.messages).toEqual(texts);
  });

  test("keeps messages that arrive before start", async () => {
    const { left, right, postOther } = await open();
    pairs.push({ left, right, postOther });
    left.start(recordingSink());
    void left.send("early", "soon");
    postOther();
    await macrotask();
    const sink = recordingSink();
    right.start(sink);
    expect(sink.events).toEqual([]);
    await expect.poll(() => sink.events).toEqual(["message early", "issue unexpected-bytes"]);
  });

  test("delivers nothing while it is paused, and everything in order afterwards", async () => {
    const { left, right, rightSink } = await startedPair();
    right.pause();
    for (let n = 0; n < 100; n++) void left.send(String(n), "soon");
    await macrotask();
    expect(rightSink.messages).toEqual([]);
    right.resume();
    expect(rightSink.messages).toEqual([]);
    await expect.poll(() => rightSink.messages.length).toBe(100);
    expect(rightSink.messages).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
  });

  test("reports the end at once, after earlier messages, even to a paused reader", async () => {
    const { left, right, rightSink } = await startedPair();
    void left.send("1", "soon");
    await expect.poll(() => rightSink.messages).toEqual(["1"]);
    right.pause();
    void left.send("2", "soon");
    await left.close();
    await rightSink.ended;
    expect(rightSink.events).toEqual(["message 1", "message 2", "closed"]);
  });

  test("close() delivers nothing more to a reader that is paused", async () => {
    const { left, right, rightSink } = await startedPair();
    right.pause();
    void left.send("1", "soon");
    await macrotask();
    await right.close();
    await macrotask();
    expect(rightSink.events).toEqual(["closed"]);
  });

  test("reports a message that is not text, and continues", async () => {
    const { left, rightSink, postOther } = await startedPair();
    postOther();
    void left.send("next", "soon");
    await expect.poll(() => rightSink.events).toEqual(["issue unexpected-bytes", "message next"]);
  });

  test("does not send a message over the limit", async () => {
    const { left, rightSink } = await startedPair({ maxMessageBytes: 10_000 });
    expect(() => left.send("é".repeat(5_001), "soon")).toThrow(MessageTooLargeError);
    void left.send("é".repeat(5_000), "soon");
    await left.close();
    await rightSink.ended;
    expect(rightSink.messages).toEqual(["é".repeat(5_000)]);
    expect(rightSink.issues).toEqual([]);
  });

  test("discards a received message over the limit, and shows both its ends", async () => {
    const { left, rightSink } = await startedPair({}, { maxMessageBytes: 10_000 });
    const text = `{"id":1,${"é".repeat(5_000)},"method":"x"}`;
    void left.send(text, "soon");
    void left.send("next", "soon");
    await expect.poll(() => rightSink.events).toEqual(["issue message-too-large", "message next"]);
    expect(rightSink.issues[0]).toMatchObject({
      bytes: 10_022,
      limit: 10_000,
      head: text.slice(0, 1024),
      tail: text.slice(-1024),
    });
  });

  test("shows every message to onTraffic, whose errors change nothing", async () => {
    const seen: string[] = [];
    const failure = new Error("logger");
    const { left, rightSink } = await startedPair({
      onTraffic(direction, text) {
        seen.push(`${direction} ${text}`);
        if (direction === "sent") throw failure;
      },
    });
    const uncaught = nextUncaught();
    void left.send("1", "soon");
    expect(await uncaught).toBe(failure);
    await expect.poll(() => rightSink.messages).toEqual(["1"]);
    expect(seen).toEqual(["sent 1", "received 1"]);
  });

  test("close() ends both sides once, after sent messages; later sends are refused", async () => {
    const { left, right, leftSink, rightSink } = await startedPair();
    void left.send("last", "later");
    await Promise.all([left.close(), left.close()]);
    await rightSink.ended;
    await right.close();
    expect(rightSink.events).toEqual(["message last", "closed"]);
    expect(leftSink.events).toEqual(["closed"]);
    expect(() => left.send("x", "soon")).toThrow(ConnectionClosedError);
    expect(() => right.send("x", "soon")).toThrow(ConnectionClosedError);
  });

  test("delivers the rest, and the end, when a sink throws, whose error is not swallowed", async () => {
    const { left, right, postOther } = await open();
    pairs.push({ left, right, postOther });
    const failure = new Error("sink");
    const seen: string[] = [];
    left.start(recordingSink());
    for (const text of ["1", "2", "3"]) void left.send(text, "soon");
    await macrotask();
    const uncaught = nextUncaught();
    right.start({
      ...recordingSink(),
      message(text) {
        seen.push(text);
        if (text === "1") throw failure;
      },
      closed: () => void seen.push("closed"),
    });
    expect(await uncaught).toBe(failure);
    await left.close();
    await expect.poll(() => seen).toEqual(["1", "2", "3", "closed"]);
  });
});
