// An editor that gives its agent a tool, without a process or a port for it.
import { provideMcpServers } from "@acp/mcp";
import { createClient } from "@acp/core/unstable";
import { spawnAgent } from "@acp/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

const openFiles = ["src/cart.ts", "README.md"];

// Called for each request: a server of MCP keeps nothing between them.
function makeServer(): McpServer {
  const server = new McpServer({ name: "editor-tools", version: "1.0.0" });
  server.registerTool("open_files", { description: "The files that the user has open" }, () => ({
    content: [{ type: "text", text: openFiles.join(", ") }],
  }));
  return server;
}

const mcp = provideMcpServers({ "editor-tools": createMcpHandler(makeServer).fetch });
const client = createClient({ info: { name: "tool-editor", version: "1.0.0" }, handlers: { ...mcp.handlers } });
const agent = await spawnAgent(client, { command: process.execPath, args: [`${import.meta.dirname}/agent.ts`] });
try {
  const session = await agent.newSession({ cwd: process.cwd(), mcpServers: mcp.servers });
  const turn = session.prompt("What am I working on?");
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "tool_call") console.log(`[${update.title}]`);
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      console.log(update.content.text);
    }
  }
  await turn.response;
} finally {
  await agent.close();
}
