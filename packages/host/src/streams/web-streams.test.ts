import { afterEach, describe, expect, test, vi } from "vitest";

import { createPipe } from "./byte-pipe.ts";
import { webSink, webSource } from "./web-streams.ts";

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.of(...values);
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe("webSource()", () => {
  test("delivers chunks, then one end", async () => {
    const seen: (readonly number[] | "end")[] = [];
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes(1, 2));
        controller.enqueue(bytes(3));
        controller.close();
      },
    });
    webSource(stream).start({ data: (chunk) => seen.push([...chunk]), end: () => seen.push("end") });
    await turn();
    expect(seen).toEqual([[1, 2], [3], "end"]);
  });

  test("reads no further while it is paused", async () => {
    let pulled = 0;
    const stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => controller.enqueue(bytes(++pulled % 256)) },
      { highWaterMark: 0 },
    );
    const source = webSource(stream);
    let seen = 0;
    source.start({
      data: () => {
        seen += 1;
        if (seen % 10 === 0) source.pause();
      },
      end: () => {},
    });
    await turn();
    await turn();
    expect([seen, pulled]).toEqual([10, 10]);
    source.resume();
    await turn();
    expect([seen, pulled]).toEqual([20, 20]);
    await source.cancel();
  });

  test("ends when reading fails, and reports why", async () => {
    const seen: unknown[] = [];
    const stream = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error("broken")) });
    const failed = (error: unknown): void => void seen.push(error instanceof Error ? error.message : error);
    webSource(stream, failed).start({ data: () => {}, end: () => seen.push("end") });
    await turn();
    expect(seen).toEqual(["broken", "end"]);
  });

  test("cancel() ends a read that waits", async () => {
    let ended = false;
    const source = webSource(new ReadableStream<Uint8Array>({}));
    source.start({ data: () => {}, end: () => (ended = true) });
    await source.cancel();
    await turn();
    expect(ended).toBe(true);
  });
});

describe("webSink()", () => {
  test("asks to wait until there is room", async () => {
    const taken: number[] = [];
    let go = (): void => {};
    const stream = new WritableStream<Uint8Array>(
      {
        write: async (chunk) => {
          taken.push(chunk.length);
          await new Promise<void>((resolve) => (go = resolve));
        },
      },
      { highWaterMark: 2 },
    );
    const sink = webSink(stream);
    expect(sink.write(bytes(1))).toBeUndefined();
    const waiting = sink.write(bytes(1, 2));
    expect(waiting).toBeInstanceOf(Promise);
    await turn();
    go();
    await waiting;
    expect(taken).toEqual([1, 2]);
    go();
    const closing = sink.close();
    expect(sink.write(bytes(1))).toBeUndefined();
    await closing;
    expect(taken).toEqual([1, 2]);
  });

  test("ends quietly when nobody reads, telling why once, and writes nothing more", async () => {
    const failures: unknown[] = [];
    let writes = 0;
    const stream = new WritableStream<Uint8Array>({
      write: () => {
        writes += 1;
        return Promise.reject(new Error("broken"));
      },
    });
    const sink = webSink(stream, (error) => failures.push(error));
    await sink.write(bytes(1));
    await turn();
    expect(sink.write(bytes(1))).toBeUndefined();
    await sink.close();
    expect([writes, failures.length]).toEqual([1, 1]);
  });
});

describe("createPipe()", () => {
  afterEach(() => void vi.useRealTimers());

  test("waits for no last words of a peer that has had them", async () => {
    vi.useFakeTimers();
    let fail = (_error: unknown): void => {};
    const source = webSource(new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }));
    const pipe = createPipe((_, unread) => {
      fail = unread;
      return { source, sink: webSink(new WritableStream()), cancel: () => source.cancel() };
    });
    await new Promise<void>((resolve) => pipe.start({ data: () => {}, closed: () => resolve() }));
    fail(new Error("full"));
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ["EPIPE", undefined],
    ["ECONNRESET", undefined],
    ["EIO", "failed"],
  ])("with a sink that fails with %s ends with the reason %s", async (code, reason) => {
    const error = Object.assign(new Error("failed"), { code });
    const stream = new WritableStream<Uint8Array>({ write: () => Promise.reject(error) });
    const ends: (string | undefined)[] = [];
    const source = webSource(new ReadableStream<Uint8Array>({}));
    const pipe = createPipe((_, unread) => ({ source, sink: webSink(stream, unread), cancel: () => source.cancel() }));
    pipe.start({ data: () => {}, closed: (why) => ends.push(why?.message) });
    await pipe.write(bytes(1));
    await turn();
    await pipe.close();
    expect(ends).toEqual([reason]);
  });
});
