/** Turns, the way an agent author writes them with the official SDK. */
import type * as acp from "@agentclientprotocol/sdk/unstable";

/** A whole turn. */
export async function tellStory(
  sessionId: string,
  client: acp.AgentContext,
  { cwd }: acp.NewSessionRequest,
): Promise<void> {
  const update = (body: acp.SessionUpdate): Promise<void> =>
    client.notify("session/update", { sessionId, update: body });
  await update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Reading. " } });
  await update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } });
  await update({ sessionUpdate: "plan", entries: [{ content: "Edit", priority: "high", status: "in_progress" }] });
  await update({
    sessionUpdate: "tool_call",
    toolCallId: "edit",
    title: "Edit a.txt",
    kind: "edit",
    status: "pending",
  });
  const { outcome } = await client.request("session/request_permission", {
    sessionId,
    toolCall: { toolCallId: "edit" },
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  if (outcome.outcome !== "selected" || outcome.optionId !== "yes") throw new Error("not allowed");
  const path = `${cwd}/a.txt`;
  const { content } = await client.request("fs/read_text_file", { sessionId, path });
  await client.request("fs/write_text_file", { sessionId, path, content: content.toUpperCase() });
  await update({
    sessionUpdate: "tool_call_update",
    toolCallId: "edit",
    status: "completed",
    content: [{ type: "diff", path, oldText: content, newText: content.toUpperCase() }],
  });
  const terminal = await client.createTerminal({ sessionId, command: "cat", args: ["a.txt"], cwd });
  await update({
    sessionUpdate: "tool_call",
    toolCallId: "run",
    title: "Run cat",
    kind: "execute",
    status: "in_progress",
    content: [{ type: "terminal", terminalId: terminal.id }],
  });
  const { exitCode } = await terminal.waitForExit();
  const { output } = await terminal.currentOutput();
  await terminal.release();
  await update({ sessionUpdate: "tool_call_update", toolCallId: "run", status: "completed" });
  await update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${exitCode}: ${output}` } });
}

/** The same with what is unstable: plans by id, a subagent with a session of its own, MCP servers of the client. */
export function tellUnstableStory(mcp: acp.McpOverAcpCaller): typeof tellStory {
  return async (sessionId, client, { mcpServers }) => {
    const tell = (id: string, update: acp.SessionUpdate): Promise<void> =>
      client.notify("session/update", { sessionId: id, update });
    const plan = { type: "markdown", planId: "plan", content: "- [ ] Search" } as const;
    await tell(sessionId, { sessionUpdate: "plan_update", plan });
    const searcher = { sessionUpdate: "subagent_update", sessionId: "searcher" } as const;
    await tell(sessionId, { ...searcher, title: "Search", state: { state: "running" } });
    const content = { type: "text", text: "Searching." } as const;
    await tell("searcher", { sessionUpdate: "agent_message_chunk", content });
    const { outcome } = await client.request("session/request_permission", {
      sessionId: "searcher",
      toolCall: { toolCallId: "search" },
      options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }],
    });
    await tell(sessionId, { ...searcher, state: { state: "idle", stopReason: "end_turn" } });
    for (const server of mcpServers) {
      if (!("type" in server) || server.type !== "acp") continue;
      const answer = await mcp.request(client, server.serverId, "tools/list", {}, { requestId: "1" });
      const text = `${outcome.outcome}: ${JSON.stringify("result" in answer ? answer.result : answer.error)}`;
      await tell(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    }
    await tell(sessionId, { sessionUpdate: "plan_removed", planId: "plan" });
  };
}
