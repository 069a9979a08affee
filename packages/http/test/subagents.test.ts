import { expect, test } from "vitest";

import { createAgent, createClient } from "@acp/core/unstable";
import { createHttpServer } from "../src/server/http-server.ts";
import { endpoint, fetchFrom } from "./support/in-process.ts";
import { createHttpTransport } from "../src/client/http-transport.ts";
import type { HttpTransportOptions } from "../src/index.ts";

const text = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "found" } } as const;
const tools = { toolCall: { toolCallId: "t" }, options: [{ optionId: "a", name: "A", kind: "allow_once" as const }] };

test("a subagent sends updates and requests on a stream of its own", async () => {
  await using server = createHttpServer({
    agent: createAgent({
      info: { name: "agent", version: "1" },
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          const subagent = await turn.subagent({ sessionId: "sub" });
          await subagent.update(text);
          await subagent.client.request("session/request_permission", tools);
          return { stopReason: "end_turn" };
        },
      },
    }),
  });
  const { fetch, exchanges } = fetchFrom(server);
  const heard: string[] = [];
  const client = createClient({
    info: { name: "client", version: "1" },
    capabilities: { subagents: {} },
    handlers: {
      "session/update": ({ update }, { session }) => void heard.push(`${session?.id}: ${update.sessionUpdate}`),
      "session/request_permission": (_params, { session }) => {
        heard.push(`${session.id} asks`);
        return { outcome: { outcome: "selected", optionId: "a" } };
      },
    },
  });
  const agent = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await agent.newSession({ cwd: "/" });
  expect((await session.prompt("go").response).stopReason).toBe("end_turn");
  await expect.poll(() => heard).toEqual(expect.arrayContaining(["sub: agent_message_chunk", "sub asks"]));
  const opened = exchanges.filter(({ method }) => method === "GET").map((exchange) => exchange.session);
  expect(new Set(opened)).toEqual(new Set([null, session.id, "sub"]));
  await agent.close();
});

test("subagents get at most 1,000 streams, only within open sessions, and end with these", async () => {
  const streams = new Map<string | null, ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const say = (stream: string | null, message: object): void =>
    streams.get(stream)?.enqueue(encoder.encode(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`));
  const fetch: NonNullable<HttpTransportOptions["fetch"]> = async (url, init) => {
    const request = new Request(url, { ...init, signal: null });
    if (request.method === "DELETE") return new Response(null, { status: 202 });
    if (request.method === "GET") {
      const name = request.headers.get("Acp-Session-Id");
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void streams.set(name, controller),
        cancel: () => void streams.delete(name),
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    }
    const { id, method } = (await request.json()) as { readonly id: number; readonly method: string };
    if (method === "initialize") {
      const result = { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } };
      return Response.json({ jsonrpc: "2.0", id, result }, { headers: { "Acp-Connection-Id": "one" } });
    }
    say(null, { id, result: method === "session/new" ? { sessionId: "main" } : {} });
    return new Response(null, { status: 202 });
  };
  const client = createClient({ info: { name: "client", version: "1" }, capabilities: { subagents: {} } });
  const agent = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await agent.newSession({ cwd: "/" });
  await expect.poll(() => streams.has("main")).toBe(true);
  const tell = (sessionId: string, child: string): void =>
    say(streams.has(sessionId) ? sessionId : "main", {
      method: "session/update",
      params: { sessionId, update: { sessionUpdate: "subagent_update", sessionId: child } },
    });
  tell("nobody's", "stray");
  for (let n = 0; n <= 1000; n++) tell("main", `sub ${n}`);
  await expect.poll(() => streams.has("sub 1000")).toBe(true);
  expect([streams.has("stray"), streams.has("sub 0"), streams.has("sub 1")]).toEqual([false, false, true]);
  tell("sub 2", "nested");
  await expect.poll(() => streams.has("nested")).toBe(true);
  expect(streams.size).toBe(1002);
  await session.close();
  await expect.poll(() => [...streams.keys()]).toEqual([null]);
  await agent.close();
});
