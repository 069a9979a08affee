import { describe, expect, test } from "vitest";
import { createMessagePortTransport } from "./message-port-transport.ts";
import { recordingSink } from "./testing/recording-sink.ts";

/** A transport, and the other port to play a peer by hand. */
function withPeer() {
  const { port1, port2 } = new MessageChannel();
  const transport = createMessagePortTransport(port1);
  const sink = recordingSink();
  transport.start(sink);
  const posted: unknown[] = [];
  port2.addEventListener("message", ({ data }) => posted.push(data));
  port2.start();
  return { transport, sink, peer: port2, posted };
}

describe("createMessagePortTransport()", () => {
  test("a side that pauses stops a sender that waits, and lets it continue", async () => {
    const { port1, port2 } = new MessageChannel();
    const left = createMessagePortTransport(port1);
    const right = createMessagePortTransport(port2);
    const sink = recordingSink();
    const leftSink = recordingSink();
    left.start(leftSink);
    right.start(sink);
    void left.send("first", "soon");
    await expect.poll(() => sink.messages).toEqual(["first"]);
    // Behind the number that says that the first was taken.
    void right.send("answer", "soon");
    await expect.poll(() => leftSink.messages).toEqual(["answer"]);
    right.pause();
    const text = "x".repeat(64 * 1024);
    let sent = 0;
    const sender = (async () => {
      for (; sent < 100; sent++) await left.send(text, "later");
    })();
    await expect.poll(() => sent).toBe(4);
    await new Promise((resolve) => void setTimeout(resolve, 50));
    expect(sent).toBe(4);
    right.resume();
    await sender;
    await left.close();
    await sink.ended;
    expect(sink.messages.length).toBe(101);
  });

  test("TRAN-16: posts strings, the number of code units that were taken, and null at the end", async () => {
    const { transport, peer, posted } = withPeer();
    void transport.send("hello", "soon");
    peer.postMessage("first");
    await expect.poll(() => posted).toEqual(["hello", 5]);
    // The first is told at once, then every 64 Ki.
    peer.postMessage("x".repeat(64 * 1024 - 1));
    peer.postMessage("yz");
    await expect.poll(() => posted).toEqual(["hello", 5, 64 * 1024 + 1]);
    await transport.close();
    await expect.poll(() => posted.at(-1)).toBe(null);
    peer.close();
  });

  test("does not wait for a peer that does not report its progress", async () => {
    const { transport, peer, posted } = withPeer();
    const text = "x".repeat(1024 * 1024);
    for (let n = 0; n < 3; n++) expect(transport.send(text, "later")).toBeUndefined();
    await expect.poll(() => posted.length).toBe(3);
    peer.postMessage(1024);
    await expect.poll(() => transport.send("x", "later") instanceof Promise).toBe(true);
    await transport.close();
    peer.close();
  });

  test("a port whose other side is closed without goodbye ends with a reason", async () => {
    const { transport, sink, peer } = withPeer();
    peer.postMessage("last");
    peer.close();
    expect((await sink.ended)?.message).toBe("The other side of the port is gone");
    expect(sink.messages).toEqual(["last"]);
    await transport.close();
  });

  test("a sender that waits continues when the other side says goodbye", async () => {
    const { transport, sink, peer } = withPeer();
    peer.postMessage(1);
    peer.postMessage("behind it");
    await expect.poll(() => sink.messages).toEqual(["behind it"]);
    const waiting = transport.send("x".repeat(1024 * 1024), "soon");
    expect(waiting).toBeInstanceOf(Promise);
    peer.postMessage(null);
    await waiting;
    expect(await sink.ended).toBeUndefined();
  });
});
