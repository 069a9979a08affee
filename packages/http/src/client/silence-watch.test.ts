import { createClient } from "@acp/core";
import { isLoopback } from "@acp/core/internal";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { HttpError } from "../http-error.ts";
import { createHttpTransport } from "./http-transport.ts";
import type { HttpTransportOptions } from "../index.ts";
import { SilenceWatch } from "./silence-watch.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

const pass = async (seconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
};

describe("SilenceWatch", () => {
  const start = (): { readonly watch: SilenceWatch; readonly lost: number[]; isReading: boolean } => {
    const state = { lost: [] as number[], isReading: true };
    const watch = new SilenceWatch(
      () => state.isReading,
      (seconds) => state.lost.push(seconds),
    );
    return Object.assign(state, { watch });
  };
  const comment = async (watch: SilenceWatch, every: number): Promise<void> => {
    await pass(every);
    watch.onBytes();
  };

  test("notices when a server that sends something every 15 seconds is silent for two minutes", async () => {
    const { watch, lost } = start();
    watch.onBytes();
    for (let n = 0; n < 10; n++) await comment(watch, 15);
    await pass(120);
    expect(lost).toEqual([]);
    await pass(30);
    expect(lost).toEqual([120]);
  });

  test("waits longer for one that sends something every minute", async () => {
    const { watch, lost } = start();
    for (let n = 0; n < 3; n++) await comment(watch, 60);
    await pass(420);
    expect(lost).toEqual([]);
    await pass(120);
    expect(lost).toHaveLength(1);
  });

  test("expects no comments from a server that opens the stream with a comment, and then sends only events", async () => {
    const { watch, lost } = start();
    watch.onBytes();
    await pass(100);
    watch.onBytes();
    watch.onEvent();
    await pass(10_000);
    expect(lost).toEqual([]);
  });

  test("expects nothing while nothing is read", async () => {
    const state = start();
    for (let n = 0; n < 3; n++) await comment(state.watch, 15);
    state.isReading = false;
    await pass(1000);
    state.isReading = true;
    await pass(105);
    expect(state.lost).toEqual([]);
    await pass(45);
    expect(state.lost).toHaveLength(1);
    state.watch.stop();
  });
});

test("a connection whose network vanished silently ends, with its pending requests", async () => {
  const encoder = new TextEncoder();
  const streams = new Map<string | null, ReadableStreamDefaultController<Uint8Array>>();
  const say = (stream: string | null, text: string): void => streams.get(stream)?.enqueue(encoder.encode(text));
  const fetch: NonNullable<HttpTransportOptions["fetch"]> = async (url, init) => {
    const request = new Request(url, { ...init, signal: null });
    if (request.method === "DELETE") return new Response(null, { status: 202 });
    if (request.method === "GET") {
      const session = request.headers.get("Acp-Session-Id");
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.set(session, controller) });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    }
    const { id, method } = (await request.json()) as { readonly id: number; readonly method: string };
    if (method === "initialize") {
      const answer = { jsonrpc: "2.0", id, result: { protocolVersion: 1 } };
      return Response.json(answer, { headers: { "Acp-Connection-Id": "one" } });
    }
    if (method === "session/new")
      say(null, `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { sessionId: "s" } })}\n\n`);
    return new Response(null, { status: 202 });
  };
  const client = createClient({ info: { name: "client", version: "1" } });
  const agent = await client.connect(createHttpTransport("https://agents.example/acp", { fetch }));
  const session = await agent.newSession({ cwd: "/" });
  const turn = session.prompt("go");
  const failed = turn.response.catch((error: unknown) => error);
  for (let n = 0; n < 3; n++) {
    await pass(15);
    for (const name of streams.keys()) say(name, ":\n\n");
  }
  await pass(150);
  expect(await failed).toBeInstanceOf(HttpError);
  expect(await failed).toMatchObject({
    message:
      "A stream from the server broke: nothing has come for 120 seconds, though the server says something now and then; " +
      "what was on its way is lost",
  });
  await agent.close();
});

test("isLoopback() knows the names of this machine", () => {
  const urls = ["http://localhost:1/acp", "http://a.localhost", "http://127.0.0.1/acp", "http://[::1]:8080/acp"];
  expect(urls.map((url) => isLoopback(new URL(url)))).toEqual([true, true, true, true]);
  const others = ["https://localhost.example", "http://127.0.0.1.example", "http://10.0.0.1", "http://[::2]"];
  expect(others.map((url) => isLoopback(new URL(url)))).toEqual([false, false, false, false]);
});
