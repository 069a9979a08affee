import { deepStrictEqual as equal } from "node:assert";

import type { LogEntry } from "../../agent-desk.ts";
import { eventually } from "../../eventually.ts";
import { type InteropCase, test } from "../../interop-case.ts";
import type { Json } from "../../json.ts";
import { acpServer, mcpRequestMeta, tools, toolsProgress } from "../../../support/samples-unstable.ts";

const text = (value: string): Json => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: value },
});
const searcher = { sessionUpdate: "subagent_update", sessionId: "searcher" };

/** A whole turn, written the way users of each SDK write it. */
export const unstableStoryCases: readonly InteropCase[] = [
  test("a whole unstable turn: plan by id, subagent with permission, MCP server of the client", async ({
    client,
    directory,
    agentLog,
    play,
  }) => {
    const opened = await client.call("session/new", { cwd: directory, mcpServers: [acpServer] });
    await agentLog();
    const { updates, stopReason } = await play(String(opened["sessionId"]), [{ story: "unstable" }]);
    equal(stopReason, "end_turn");
    equal(updates.map(withoutMessageId), [
      {
        sessionUpdate: "plan_update",
        plan: { type: "markdown", planId: "plan", content: "- [ ] Search" },
      },
      { ...searcher, title: "Search", state: { state: "running" } },
      { ...searcher, state: { state: "idle", stopReason: "end_turn" } },
      text(`selected: ${JSON.stringify(tools)}`),
      { sessionUpdate: "plan_removed", planId: "plan" },
    ]);
    equal(client.record.updatesOf("searcher"), [text("Searching.")]);
    equal(
      client.record.paramsOf("session/request_permission").map(({ sessionId }) => sessionId),
      ["searcher"],
    );
    const request = { serverId: acpServer.serverId, requestId: "1" };
    equal(client.record.paramsOf("mcp/message"), [
      { ...request, method: "tools/list", params: { _meta: mcpRequestMeta } },
    ]);
    const log: LogEntry[] = [];
    const told = await eventually(async () => {
      log.push(...(await agentLog()));
      return log.find(({ method }) => method === "mcp/message");
    }, "the server's progress");
    equal(told.params, { ...request, ...toolsProgress });
  }),
];

/** This toolkit names its messages; with the official SDK that is left to the author. */
function withoutMessageId(update: Json): Json {
  return Object.fromEntries(Object.entries(update).filter(([name]) => name !== "messageId"));
}
