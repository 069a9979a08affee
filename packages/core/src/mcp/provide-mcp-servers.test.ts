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
