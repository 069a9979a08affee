import process from "node:process";

import { type ReceivedMcpServer, serverName } from "./received-mcp-server.ts";

/** A tool of an MCP server. */
export interface McpTool {
  readonly name: string;
  readonly description: string | undefined;
}

/** The result of a tool. Its content has the types of ACP, too (CONT-02). */
export interface McpResult {
  readonly content: readonly { readonly type: string }[];
  readonly isError: boolean;
  readonly structured: unknown;
}

/** A connection to one MCP server. */
export interface McpConnection {
  /** The name of the server. */
  readonly server: string;
  readonly tools: readonly McpTool[];
  /** Calls a tool. There is no timeout: only `signal` cancels a call. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<McpResult>;
  close(): Promise<void>;
}

/** How long connecting may take, and how long listing the tools, in milliseconds. */
const startTimeout = 20_000;

/**
 * The longest timeout that a timer supports: 24 days, in milliseconds. Tools may build, download, or wait for somebody,
 * and the user can cancel them. By default, the MCP client stops waiting after a minute.
 */
const longestTimeout = 2 ** 31 - 1;

/**
 * Connects to a server over stdio, which starts its process, or over HTTP (MCP-02, MCP-03). The MCP client is loaded here,
 * since sessions without servers do not need it.
 */
export async function connectMcpServer(server: ReceivedMcpServer, cwd: string): Promise<McpConnection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "reference-agent", version: "1.0.0" });
  try {
    await client.connect(await createTransport(server, cwd), { timeout: startTimeout });
    const { tools } = await client.listTools({}, { timeout: startTimeout });
    return {
      server: serverName(server),
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
      call: async (tool, args, signal) => {
        const result = await client.callTool({ name: tool, arguments: args }, { signal, timeout: longestTimeout });
        const { content, isError = false, structuredContent } = result;
        return { content, isError, structured: structuredContent };
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close().catch(() => {
      // The first error is the one to report.
    });
    throw error;
  }
}

async function createTransport(server: ReceivedMcpServer, cwd: string) {
  // In version 1, a server without a type uses stdio.
  if (!("type" in server) || server.type === "stdio") {
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const env = Object.fromEntries((server.env ?? []).map(({ name, value }) => [name, value]));
    return new StdioClientTransport({
      command: server.command,
      args: [...(server.args ?? [])],
      env: { ...processEnvironment(), ...env },
      cwd,
    });
  }
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  if (server.type !== "http") throw new TypeError(`MCP servers of the type ${String(server.type)} are not supported`);
  const headers = Object.fromEntries((server.headers ?? []).map(({ name, value }) => [name, value]));
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
}

function processEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
