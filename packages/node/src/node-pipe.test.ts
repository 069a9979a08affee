import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket, connect } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

import { type BytePipe, UsageError } from "@acp/core";
import { describe, expect, test, vi } from "vitest";

import { createNodePipe } from "./node-pipe.ts";

/** Both ends of a TCP connection. */
async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const client = connect({ port: address.port, host: "127.0.0.1", allowHalfOpen: true });
  const [other] = (await once(server, "connection")) as [Socket];
  server.close();
  return [client, other];
}

/** Reads a pipe to its end. */
function received(pipe: BytePipe): { readonly text: () => string; readonly closed: Promise<Error | undefined> } {
  const chunks: Uint8Array[] = [];
  const closed = new Promise<Error | undefined>((resolve) => {
    pipe.start({ data: (chunk) => chunks.push(chunk), closed: resolve });
  });
  return { text: () => Buffer.concat(chunks).toString(), closed };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("createNodePipe()", () => {
  test("carries bytes over a socket in both directions, to an orderly end", async () => {
    const [one, two] = await socketPair();
    const [left, right] = [createNodePipe(one), createNodePipe(two)];
    const [atLeft, atRight] = [received(left), received(right)];
    await right.write(bytes("to the left"));
    await left.write(bytes("to the right"));
    while (atLeft.text() === "") await new Promise((resolve) => setTimeout(resolve, 1));
    expect(atLeft.text()).toBe("to the left");
    await left.close();
    expect(await atLeft.closed).toBeUndefined();
    expect(await atRight.closed).toBeUndefined();
    expect(atRight.text()).toBe("to the right");
    await right.close();
  });

  test("takes the last words of a peer that reads no more", async () => {
    // The second for last words does not pass while a busy machine lets the peer wait.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const program =
        "const fs = require('fs'); fs.closeSync(0); fs.writeSync(1, 'first and '); setTimeout(() => fs.writeSync(1, 'last words'), 300)";
      const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
      const pipe = createNodePipe(child.stdout, child.stdin);
      const { text, closed } = received(pipe);
      await expect.poll(text).toBe("first and ");
      await pipe.write(bytes("to nobody"));
      expect(await closed).toBeUndefined();
      expect(text()).toBe("first and last words");
      await pipe.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test("ends a second after the reader stops, even if the peer lives on", async () => {
    const stream = new PassThrough();
    const silent = new PassThrough();
    const pipe = createNodePipe(silent, stream);
    const { closed } = received(pipe);
    const began = performance.now();
    stream.destroy(Object.assign(new Error("gone"), { code: "EPIPE" }));
    expect(await closed).toBeUndefined();
    expect(performance.now() - began).toBeGreaterThan(900);
    await pipe.close();
  });

  test("write() asks to wait when the stream is full, until it is not", async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    const pipe = createNodePipe(Readable.from([]), stream);
    const first = pipe.write(bytes("x".repeat(20)));
    expect(first).toBeInstanceOf(Promise);
    expect(pipe.write(bytes("y"))).toBe(first);
    const content = buffer(stream);
    await first;
    expect(pipe.write(bytes("z"))).toBeUndefined();
    await pipe.close();
    expect((await content).toString()).toBe(`${"x".repeat(20)}yz`);
  });

  test("a waiting write() is released, and close() settles, when the reader is gone", async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const pipe = createNodePipe(Readable.from([]), stream);
    const waiting = pipe.write(bytes("xx"));
    const closing = pipe.close();
    stream.destroy();
    await waiting;
    await closing;
    expect(pipe.write(bytes("more"))).toBeUndefined();
  });

  test("a reset by the peer is an end without a reason", async () => {
    const [one, two] = await socketPair();
    const reader = received(createNodePipe(one));
    two.resetAndDestroy();
    expect(await reader.closed).toBeUndefined();
  });

  test("another failure is the reason of the end, reported once", async () => {
    const stream = new PassThrough();
    const reasons: (Error | undefined)[] = [];
    createNodePipe(stream).start({ data: () => {}, closed: (reason) => reasons.push(reason) });
    stream.destroy(new Error("broken"));
    await new Promise((resolve) => stream.once("close", resolve));
    expect(reasons.map((reason) => reason?.message)).toEqual(["broken"]);
  });

  test("pause() and resume() stop and restart reading", async () => {
    const stream = new PassThrough();
    const pipe = createNodePipe(stream);
    const reader = received(pipe);
    pipe.pause();
    stream.write("later");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reader.text()).toBe("");
    pipe.resume();
    stream.end();
    await reader.closed;
    expect(reader.text()).toBe("later");
  });

  test("refuses a stream that cannot be written to", () => {
    expect(() => createNodePipe(Readable.from([]))).toThrow(UsageError);
  });
});
