import { createClient } from "@acp/core";
import { expect, test } from "vitest";

import { endpoint } from "./support/in-process.ts";
import { createHttpTransport } from "../src/client/http-transport.ts";
import type { HttpTransportOptions } from "../src/index.ts";

/** The updates of a history, which come slowly. */
const count = 10;

/**
 * A server as the proposal has it: it answers `session/load` on the stream of the connection, at once, while the history
 * is still on its way by that of the session.
 */
function serverThatTellsSlowly(pause: () => Promise<unknown>): NonNullable<HttpTransportOptions["fetch"]> {
  const streams = new Map<string | null, ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const say = (stream: string | null, message: object): void =>
    streams.get(stream)?.enqueue(encoder.encode(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`));
  const tell = async (sessionId: string): Promise<void> => {
    for (let n = 0; n < count; n++) {
      await pause();
      const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: String(n) } };
      say(sessionId, { method: "session/update", params: { sessionId, update } });
    }
  };
  return async (url, init) => {
    const request = new Request(url, { ...init, signal: null });
    if (request.method === "DELETE") return new Response(null, { status: 202 });
    const session = request.headers.get("Acp-Session-Id");
    if (request.method === "GET") {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.set(session, controller) });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    }
    const { id, method } = (await request.json()) as { readonly id: number; readonly method: string };
    if (method === "initialize") {
      const result = { protocolVersion: 1, agentCapabilities: { loadSession: true } };
      return Response.json({ jsonrpc: "2.0", id, result }, { headers: { "Acp-Connection-Id": "one" } });
    }
    say(null, { id, result: {} });
    if (session !== null) void tell(session);
    return new Response(null, { status: 202 });
  };
}

/** Loads a session, and returns what of its history has come by then. */
async function load(pause: () => Promise<unknown>): Promise<readonly string[]> {
  const heard: string[] = [];
  const client = createClient({
    info: { name: "client", version: "1" },
    handlers: {
      "session/update": ({ update }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          heard.push(update.content.text);
      },
    },
  });
  const agent = await client.connect(createHttpTransport(endpoint, { fetch: serverThatTellsSlowly(pause) }));
  await agent.loadSession({ sessionId: "old", cwd: "/" });
  const told = [...heard];
  await agent.close();
  return told;
}

const history = Array.from({ length: count }, (_, n) => String(n));

test("the history of a session has come when session/load is answered, though it comes by another stream", async () => {
  expect(await load(() => new Promise((resolve) => setTimeout(resolve, 10)))).toEqual(history);
});

test("it has come as well where the program is busy meanwhile, and reads little of it at a time", async () => {
  const busy = setInterval(() => {
    for (const since = Date.now(); Date.now() - since < 60;);
  }, 0);
  try {
    expect(await load(() => new Promise((resolve) => setImmediate(resolve)))).toEqual(history);
  } finally {
    clearInterval(busy);
  }
});
