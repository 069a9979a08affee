import type { Received as Received1 } from "@acp/schema/v1";
import type { Received as Received2 } from "@acp/schema/v2";

/** An MCP server as clients of either version name it. */
export type ReceivedMcpServer = Received1.McpServer | Received2.McpServer;

/** How to call a server; version 2 may have kinds of them that are not known yet. */
export function nameOf(server: ReceivedMcpServer): string {
  return "name" in server ? server.name : "A server of an unknown kind";
}
