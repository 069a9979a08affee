import type { Received as Received1 } from "@acp/schema/v1/unstable";
import type { Received as Received2 } from "@acp/schema/v2/unstable";

/** An MCP server that a client of either version asks the agent to connect to. */
export type ReceivedMcpServer = Received1.McpServer | Received2.McpServer;

/** Returns the name of a server. Version 2 allows types of servers that this agent does not know. */
export function serverName(server: ReceivedMcpServer): string {
  return "name" in server ? server.name : "A server of an unknown type";
}
