/**
 * MCP servers over ACP, unstable: those that a client runs itself, and how an agent reaches them.
 *
 * @module
 */
export { type AcceptedMcpServers, acceptMcpServers, type AcpMcpServer, type McpSession } from "./accept-mcp-servers.ts";
export type { McpFetch } from "./exchange.ts";
export { McpErrorCode, type McpMessage } from "./mcp-message.ts";
export type { McpSendOptions, McpTransport } from "./mcp-transport.ts";
export {
  type McpHandlerContext,
  type ProvidedMcpServer,
  type ProvidedMcpServers,
  provideMcpServers,
} from "./provide-mcp-servers.ts";
