// An agent on stdio that calls tools of MCP servers that its client runs. A prompt is JSON: the tool and its arguments.
import { createAgent } from "@acp/core/unstable";
import { acceptMcpServers } from "@acp/mcp";
import { serveStdio } from "@acp/node";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const mcp = acceptMcpServers();
const agent = createAgent({
  info: { name: "mcp-agent", version: "1.0.0" },
  capabilities: { mcpCapabilities: { acp: true } },
  handlers: {
    ...mcp.handlers,
    "session/close": () => {},
    "session/prompt": async ({ prompt: [block] }, { session, turn, signal }) => {
      const {
        tool,
        args,
        mode = "auto",
        http = false,
      } = JSON.parse(block?.type === "text" ? block.text : "") as {
        readonly tool: string;
        readonly args: Record<string, unknown>;
        readonly mode?: "auto" | "legacy";
        /** Whether the client of MCP knows servers over HTTP only. */
        readonly http?: boolean;
      };
      const [server] = session.mcpServers;
      if (server?.type !== "acp") throw new Error("There is no server of the client's");
      const tools = new Client({ name: "mcp-agent", version: "1.0.0" }, { versionNegotiation: { mode } });
      try {
        const fetch = mcp.fetch(server, session);
        const overHttp = new StreamableHTTPClientTransport(new URL("http://acp.invalid/"), {
          fetch: async (url, init) => fetch(new Request(url, init)),
        });
        await tools.connect(http ? overHttp : mcp.transport(server, session));
        if (tool === "list") {
          const listed = await tools.listTools();
          await turn.message(listed.tools.map(({ name }) => name).join(" "));
        } else {
          const progress: number[] = [];
          const onprogress = (told: { progress: number }): void => void progress.push(told.progress);
          const { content } = await tools.callTool({ name: tool, arguments: args }, { signal, onprogress });
          await turn.message(JSON.stringify({ content, progress }));
        }
      } catch (error) {
        await turn.message(error instanceof Error ? error.message : String(error));
      } finally {
        await tools.close();
      }
      return { stopReason: "end_turn" };
    },
  },
});
await serveStdio(agent);
