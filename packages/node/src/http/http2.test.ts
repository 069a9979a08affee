import { once } from "node:events";
import { connect, createServer } from "node:http2";

import { createAgent, createClient } from "@acp/core";
import { createHttpServer, createHttpTransport } from "@acp/http";
import { expect, test } from "vitest";

import { nodeHttpHandler } from "./node-http-handler.ts";

/** A `fetch` over one connection of HTTP/2, without TLS: that of Node.js does not speak it so. */
function fetchOver(session: ReturnType<typeof connect>): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const stream = session.request({ ":method": init.method ?? "GET", ":path": new URL(url).pathname, ...headers });
    init.signal?.addEventListener("abort", () => stream.close());
    stream.end(init.body ?? undefined);
    const [answered] = (await once(stream, "response")) as [Record<string, string>];
    let isOpen = true;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream.on("data", (chunk: Uint8Array) => isOpen && controller.enqueue(new Uint8Array(chunk)));
        stream.on("close", () => {
          if (isOpen) controller.close();
          isOpen = false;
        });
      },
      cancel() {
        isOpen = false;
        stream.close();
      },
    });
    const status = Number(answered[":status"]);
    const given = Object.entries(answered).filter(([name]) => !name.startsWith(":"));
    return new Response(body, {
      status,
      headers: given.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

test("nodeHttpHandler() serves HTTP/2, with all streams on one connection", async () => {
  const hosts: string[] = [];
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        for (let n = 0; n < 2000; n++) await turn.message(`${n} ${"x".repeat(500)}`);
        return { stopReason: "end_turn" };
      },
    },
  });
  const server = createHttpServer({
    agent: (request) => {
      hosts.push(new URL(request.url).host);
      return agent;
    },
  });
  const listener = createServer(nodeHttpHandler(server)).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen");
  const url = `http://127.0.0.1:${address.port}/acp`;
  const session = connect(url);
  const client = createClient({ info: { name: "client", version: "1" } });
  const connected = await client.connect(createHttpTransport(url, { fetch: fetchOver(session) }));
  const sessions = await Promise.all(Array.from({ length: 10 }, () => connected.newSession({ cwd: "/" })));
  const counts = await Promise.all(
    sessions.map(async (opened) => {
      let count = 0;
      for await (const update of opened.prompt("go").updates)
        if (update.sessionUpdate === "agent_message_chunk") count++;
      return count;
    }),
  );
  expect(counts).toEqual(Array.from({ length: 10 }, () => 2000));
  expect(hosts).toEqual([`127.0.0.1:${address.port}`]);
  await connected.close();
  await expect.poll(() => server.connections).toBe(0);
  await server.close();
  session.close();
  listener.close();
});
