import { type McpHandlerContext, provideMcpServers, type ProvidedMcpServer, type ProvidedMcpServers } from "@acp/mcp";
import { RequestError } from "@acp/core";
import type { Conversation } from "../conversation/conversation.ts";
import type { ProviderAgent } from "../model/provider-agent.ts";
import { serveLoopback } from "./loopback.ts";
import { serverName, serveTools } from "./serve-tools.ts";

type Answer = ProvidedMcpServers["handlers"]["mcp/message"];

/** The entry of an MCP server for a new session. */
type McpServer =
  | ProvidedMcpServer
  | { type: "http"; name: string; url: string; headers: { name: string; value: string }[] };

/** The MCP servers with the tools of callers, one for each conversation that has some. */
export class ToolServers {
  readonly #provided = new Map<string, ProvidedMcpServers>();

  readonly handlers: { readonly "mcp/message": Answer } = {
    "mcp/message": (params, context: McpHandlerContext) => {
      const provided = this.#provided.get(params.serverId);
      if (provided === undefined) throw new RequestError({ code: -32602, message: "There is no such MCP server" });
      return provided.handlers["mcp/message"](params, context);
    },
  };

  /** Starts a server for the tools of a conversation, of a kind that the agent takes. */
  async open(conversation: Conversation, agent: ProviderAgent): Promise<McpServer[]> {
    const { tools, id } = conversation;
    if (tools === undefined) return [];
    const kinds = kindsOf(agent);
    if (!kinds.acp && !kinds.http) {
      tools.problem = "The agent takes no MCP servers over ACP or HTTP, so it cannot call them.";
      return [];
    }
    const server = await serveTools(tools);
    if (kinds.acp) {
      const provided = provideMcpServers({ [id]: server });
      this.#provided.set(id, provided);
      conversation.stopTools = () => void this.#provided.delete(id);
      return provided.servers.map((entry) => ({ ...entry, name: serverName }));
    }
    const { url, authorization, stop } = await serveLoopback(server);
    conversation.stopTools = stop;
    return [{ type: "http", name: serverName, url, headers: [{ name: "Authorization", value: authorization }] }];
  }
}

function kindsOf(connected: ProviderAgent): { readonly acp: boolean; readonly http: boolean } {
  if (connected.version === 1) {
    const { acp = false, http = false } = connected.agent.capabilities.mcpCapabilities ?? {};
    return { acp, http };
  }
  const { acp, http } = connected.agent.capabilities.session?.mcp ?? {};
  return { acp: acp != null, http: http != null };
}
