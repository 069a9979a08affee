import { deepStrictEqual as equal } from "node:assert";

import { eventually } from "../../eventually.ts";
import type { InteropCase } from "../../interop-case.ts";
import { meta } from "../../samples.ts";
import { accounts, mcpRequestMeta } from "../../samples-unstable.ts";
import { clientExchange } from "../client-methods.ts";

const asked = { serverId: "tools", requestId: "request ü", method: "tools/call" };
const params = { name: "look", arguments: { list: [1, null, {}] }, _meta: mcpRequestMeta };

/** Every unstable request and notification of an agent. */
export const unstableClientMethodCases: readonly InteropCase[] = [
  clientExchange({
    name: "mcp/message answered with a result",
    method: "mcp/message",
    params: { ...asked, params },
    result: { result: { content: [{ type: "text", text: "Grüße" }], isError: false } },
  }),
  ...[null, "text", 0, []].map((result) =>
    clientExchange({
      name: `mcp/message without params, answered with ${JSON.stringify(result)}`,
      method: "mcp/message",
      params: asked,
      result: { result },
    }),
  ),
  clientExchange({
    name: "mcp/message answered with the server's error, which is no error of the call",
    method: "mcp/message",
    params: asked,
    result: { error: { code: -32_601, message: "Method not found", data: { method: "tools/call" }, more: 1 } },
  }),
  ...["authenticated", "unauthenticated", "not_required", "unknown", "_acme_expired"].map((state): InteropCase => ({
    name: `EXT-01: auth/status_update ${state}, with custom data`,
    async run({ client, newSession, play }) {
      const update = { state, accounts, _meta: meta };
      await play(await newSession(), [{ notify: "auth/status_update", params: update }]);
      const seen = await eventually(() => client.record.paramsOf("auth/status_update")[0], "the update");
      equal(seen, update);
    },
  })),
];
