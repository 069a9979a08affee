import type { Transport } from "@modelcontextprotocol/client";

import type { ReceivedMcpServer } from "./received-mcp-server.ts";
import { StdioTransport } from "./stdio-transport.ts";

/**
 * Makes the transport to a server: over stdio, which starts its process, over HTTP, or over SSE, the older way of HTTP
 * (MCP-02, MCP-03, MCP-04).
 *
 * @throws {TypeError} for a type of servers that this agent does not know, and for an invalid URL.
 */
export async function openTransport(server: ReceivedMcpServer, cwd: string): Promise<Transport> {
  // In version 1, a server without a type uses stdio.
  if (!("type" in server) || server.type === "stdio") {
    const { command, args, env } = server;
    return new StdioTransport({ command, args: args ?? [], env: toRecord(env), cwd });
  }
  if (server.type !== "http" && server.type !== "sse") {
    throw new TypeError(`MCP servers of the type ${String(server.type)} are not supported`);
  }
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { type, url, headers } = server as { type: "http" | "sse"; url: string; headers?: NameAndValue[] };
  const options = { requestInit: { headers: toRecord(headers) } };
  return type === "http"
    ? new StreamableHTTPClientTransport(new URL(url), options)
    : new SSEClientTransport(new URL(url), options);
}

interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

function toRecord(pairs: readonly NameAndValue[] | null | undefined): Record<string, string> {
  return Object.fromEntries((pairs ?? []).map(({ name, value }) => [name, value]));
}
