import { deepStrictEqual as equal } from "node:assert";

import { desk } from "../../agent-desk.ts";
import { eventually } from "../../eventually.ts";
import { ChosenFailure } from "../../failure.ts";
import { type InteropCase, test } from "../../interop-case.ts";
import { at } from "../../json.ts";
import { meta } from "../../../support/samples.ts";
import { accounts, mcpRequestMeta } from "../../../support/samples-unstable.ts";
import { clientExchange } from "../client-methods.ts";
import { aborted } from "../../../support/aborted.ts";

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
    name: "mcp/message answered with the server's error, which does not fail the call",
    method: "mcp/message",
    params: asked,
    result: { error: { code: -32_601, message: "Method not found", data: { method: "tools/call" }, more: 1 } },
  }),
  test("mcp/message is withdrawn, and the client's server is notified", async ({
    client,
    agentSdk,
    newSession,
    play,
  }) => {
    client.record.answer("mcp/message", async (_, signal) => {
      await client.notify(desk.note, {});
      await aborted(signal);
      throw new ChosenFailure({ code: -32_800, message: "Request cancelled" });
    });
    const { results, stopReason } = await play(await newSession(), [
      { call: "mcp/message", params: asked, cancel: "noted" },
    ]);
    // The official SDK waits for the client's answer; this toolkit fails at once with the signal's reason.
    equal(at(results[0], "failure", "code"), agentSdk === "official" ? -32_800 : "NotedError");
    equal(stopReason, "end_turn");
    const cancels = (): unknown => client.record.paramsOf("$/cancel_request")[0];
    equal(await eventually(cancels, "the client is told"), {});
    equal(client.record.paramsOf("$/cancel_request").length, 1);
  }),
  test("session/cancel of a subagent reaches the agent, and the turn of its session continues", async ({
    client,
    agentLog,
    newSession,
    play,
  }) => {
    const update = { sessionUpdate: "subagent_update", sessionId: "cancelled-1", capabilities: { cancel: {} } };
    const turn = play(await newSession(), [{ update }, { sleep: 100 }]);
    const sessionId = await eventually(() => at(client.record.updates[0]?.update, "sessionId"), "the subagent");
    await client.notify("session/cancel", { sessionId });
    const logged = await eventually(
      async () => (await agentLog()).find(({ method }) => method === "session/cancel"),
      "the cancel is logged",
    );
    equal(logged.params, { sessionId: "cancelled-1" });
    equal((await turn).stopReason, "end_turn");
  }),
  ...["authenticated", "unauthenticated", "not_required", "unknown", "_acme_expired"].map((state) =>
    test(`EXT-01: auth/status_update ${state}, with custom data`, async ({ client, newSession, play }) => {
      const update = { state, accounts, _meta: meta };
      await play(await newSession(), [{ notify: "auth/status_update", params: update }]);
      const seen = await eventually(() => client.record.paramsOf("auth/status_update")[0], "the update");
      equal(seen, update);
    }),
  ),
];
