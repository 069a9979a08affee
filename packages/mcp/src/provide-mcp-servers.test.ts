import { expect, test } from "vitest";

import type { McpFetch } from "./exchange.ts";
import { provideMcpServers } from "./provide-mcp-servers.ts";

test.each<[string, (withdrawn: () => void) => McpFetch]>([
  ["never answers", (withdrawn) => () => (withdrawn(), new Promise<never>(() => {}))],
  [
    "tells without end",
    (withdrawn) => () => {
      const event = new TextEncoder().encode('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          await new Promise((resolve) => setImmediate(resolve));
          controller.enqueue(event);
        },
        cancel: withdrawn,
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  ],
])("a request that is taken back ends, also at a server that looks at no signal and %s", async (_what, make) => {
  let isWithdrawn = false;
  const { handlers } = provideMcpServers({ tools: make(() => (isWithdrawn = true)) });
  const withdrawal = new AbortController();
  const reason = new Error("not needed any more");
  // It is on its way.
  setTimeout(() => withdrawal.abort(reason), 20);
  const agent = { notify: () => Promise.resolve() };
  const asked = { serverId: "tools", requestId: "1", method: "tools/call" };
  await expect(handlers["mcp/message"](asked, { signal: withdrawal.signal, agent })).rejects.toBe(reason);
  await expect.poll(() => isWithdrawn).toBe(true);
});

const events = (...messages: readonly unknown[]): Response =>
  new Response(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });

test.each<[string, McpFetch, string]>([
  [
    "refuses with JSON of its own",
    () => Response.json({ error: "invalid_token" }, { status: 401 }),
    "its answer has status 401 and is none of MCP",
  ],
  [
    "answers with broken JSON",
    () => new Response("{", { headers: { "content-type": "application/json" } }),
    "its answer has status 200 and is none of MCP",
  ],
  [
    "cannot be reached",
    () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    },
    "fetch failed: connect ECONNREFUSED",
  ],
  [
    "asks something, and waits for the answer",
    () => events({ jsonrpc: "2.0", id: 1, method: "elicitation/create", params: {} }),
    "it asks for elicitation/create, and over ACP it cannot be answered",
  ],
])("a server that %s has failed, and the agent learns why", async (_what, server, reason) => {
  const { handlers } = provideMcpServers({ tools: server });
  const context = { signal: new AbortController().signal, agent: { notify: () => Promise.resolve() } };
  const asked = { serverId: "tools", requestId: "1", method: "tools/call" };
  await expect(handlers["mcp/message"](asked, context)).rejects.toMatchObject({
    wire: { code: -33002, message: `The MCP server 'tools' failed: ${reason}` },
  });
});

test.each<[string, (id: string) => Response]>([
  [
    "names its type in capitals",
    (id) =>
      new Response(JSON.stringify({ jsonrpc: "2.0", id, result: {} }), {
        headers: { "content-type": "Application/JSON; charset=utf-8" },
      }),
  ],
  ["looks whether anybody is there", (id) => events({ id: 1, method: "ping" }, { jsonrpc: "2.0", id, result: {} })],
])("a server that %s is understood", async (_what, answer) => {
  const { handlers } = provideMcpServers({ tools: () => answer("1") });
  const context = { signal: new AbortController().signal, agent: { notify: () => Promise.resolve() } };
  const asked = { serverId: "tools", requestId: "1", method: "tools/call" };
  expect(await handlers["mcp/message"](asked, context)).toEqual({ result: {} });
});
