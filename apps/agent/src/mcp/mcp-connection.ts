import process from "node:process";

import { nameOf, type ReceivedMcpServer } from "./received-mcp-server.ts";

/** A tool of an MCP server. */
export interface McpTool {
  readonly name: string;
  readonly description: string | undefined;
}

/** What a tool has answered: content as MCP has it, which is the content of ACP (CONT-02). */
export interface McpResult {
  readonly content: readonly { readonly type: string }[];
  readonly isError: boolean;
  readonly structured: unknown;
}

/** A connection to one MCP server. */
export interface McpConnection {
  /** What the server is called. */
  readonly server: string;
  readonly tools: readonly McpTool[];
  /** Takes as long as the tool takes, unless `signal` ends it. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<McpResult>;
  close(): Promise<void>;
}

/** How long a server may take to start and to list its tools, in milliseconds. */
const startLimit = 20_000;

/**
 * The longest time a timer can wait, 24 days: tools may build, download, or wait for somebody, and the user can cancel
 * them. Without it the client of MCP gives up after a minute.
 */
const noLimit = 2 ** 31 - 1;

/**
 * Connects to a server over stdio, as its parent process, or over HTTP (MCP-02, MCP-03). Loads the client of MCP first:
 * sessions without servers need none of it.
 */
export async function connectMcpServer(server: ReceivedMcpServer, cwd: string): Promise<McpConnection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "reference-agent", version: "1.0.0" });
  try {
    await client.connect(await transportFor(server, cwd), { timeout: startLimit });
    const { tools } = await client.listTools({}, { timeout: startLimit });
    return {
      server: nameOf(server),
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
      call: async (tool, args, signal) => {
        const result = await client.callTool({ name: tool, arguments: args }, { signal, timeout: noLimit });
        const { content, isError = false, structuredContent } = result;
        return { content, isError, structured: structuredContent };
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close().catch(() => {
      // What failed before is the reason.
    });
    throw error;
  }
}

async function transportFor(server: ReceivedMcpServer, cwd: string) {
  // Version 1 does not name the way that each agent has.
  if (!("type" in server) || server.type === "stdio") {
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const env = Object.fromEntries((server.env ?? []).map(({ name, value }) => [name, value]));
    return new StdioClientTransport({
      command: server.command,
      args: [...(server.args ?? [])],
      env: { ...ownEnvironment(), ...env },
      cwd,
    });
  }
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  if (server.type !== "http") throw new TypeError(`Servers over ${String(server.type)} are not supported`);
  const headers = Object.fromEntries((server.headers ?? []).map(({ name, value }) => [name, value]));
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
