/** Turns, the way an agent author writes them with this toolkit. */
import type { AgentSession, AgentTurn, SessionPeer } from "@acp/core/unstable";
import type { ClientMethods } from "@acp/schema/v1/unstable";

import { mcpRequestMeta } from "../../support/samples-unstable.ts";

/** A whole turn. */
export async function tellStory(turn: AgentTurn, client: SessionPeer<ClientMethods>, cwd: string): Promise<void> {
  await turn.message("Reading. ");
  await turn.thought("Hm.");
  await turn.plan([{ content: "Edit", priority: "high", status: "in_progress" }]);
  const edit = await turn.toolCall({ toolCallId: "edit", title: "Edit a.txt", kind: "edit", status: "pending" });
  const answer = await edit.requestPermission([
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ]);
  if (answer.outcome !== "selected" || answer.optionId !== "yes") throw new Error("not allowed");
  const path = `${cwd}/a.txt`;
  const { content } = await client.request("fs/read_text_file", { path });
  await client.request("fs/write_text_file", { path, content: content.toUpperCase() });
  await edit.complete([{ type: "diff", path, oldText: content, newText: content.toUpperCase() }]);
  const { terminalId } = await client.request("terminal/create", { command: "cat", args: ["a.txt"], cwd });
  const run = await turn.toolCall({
    toolCallId: "run",
    title: "Run cat",
    kind: "execute",
    content: [{ type: "terminal", terminalId }],
  });
  const { exitCode } = await client.request("terminal/wait_for_exit", { terminalId });
  const { output } = await client.request("terminal/output", { terminalId });
  await client.request("terminal/release", { terminalId });
  await run.complete();
  await turn.message(`${exitCode}: ${output}`);
}

/** The same with what is unstable: plans by id, a subagent with a session of its own, MCP servers of the client. */
export async function tellUnstableStory(
  turn: AgentTurn,
  session: AgentSession,
  client: SessionPeer<ClientMethods>,
): Promise<void> {
  await turn.planUpdate({ type: "markdown", planId: "plan", content: "- [ ] Search" });
  const searching = await turn.subagent({ sessionId: "searcher", title: "Search", state: { state: "running" } });
  await searching.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Searching." } });
  const { outcome } = await searching.client.request("session/request_permission", {
    toolCall: { toolCallId: "search" },
    options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }],
  });
  await searching.report({ state: { state: "idle", stopReason: "end_turn" } });
  for (const server of session.mcpServers) {
    if (server.type !== "acp") continue;
    const { serverId } = server;
    const params = { _meta: mcpRequestMeta };
    const answer = await client.request("mcp/message", { serverId, requestId: "1", method: "tools/list", params });
    await turn.message(`${outcome.outcome}: ${JSON.stringify("result" in answer ? answer.result : answer.error)}`);
  }
  await turn.planRemoved("plan");
}
