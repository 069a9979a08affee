// An agent that uses a tool of its client: of an MCP server that the client runs itself.
import { acceptMcpServers } from "@acp/mcp";
import { createAgent } from "@acp/core/unstable";
import { serveStdio } from "@acp/node";
import { Client } from "@modelcontextprotocol/client";

const info = { name: "tool-using-agent", version: "1.0.0" };
const mcp = acceptMcpServers();
const agent = createAgent({
  info,
  // So that clients give it such servers.
  capabilities: { mcpCapabilities: { acp: true } },
  handlers: {
    ...mcp.handlers,
    "session/prompt": async (_params, { session, turn, signal }) => {
      const server = session.mcpServers.find(({ type }) => type === "acp");
      if (server?.type !== "acp") {
        await turn.message("Your editor has no tools for me.");
        return { stopReason: "end_turn" };
      }
      const tools = new Client(info, { versionNegotiation: { mode: "auto" } });
      await tools.connect(mcp.transport(server, session));
      const call = await turn.toolCall({ title: `open_files of ${server.name}`, kind: "read" });
      const { content } = await tools.callTool({ name: "open_files" }, { signal });
      const [first] = content;
      await call.complete(first?.type === "text" ? first.text : "");
      await turn.message(`You have open: ${first?.type === "text" ? first.text : "nothing"}`);
      await tools.close();
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
