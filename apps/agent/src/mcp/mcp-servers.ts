import { failureReason } from "../failure-reason.ts";
import { connectMcpServer, type McpConnection } from "./mcp-connection.ts";
import { nameOf, type ReceivedMcpServer } from "./received-mcp-server.ts";

/** A server that could not be reached, and why. */
export interface McpFailure {
  readonly server: string;
  readonly reason: string;
}

/** The MCP servers of a session. */
export interface McpServers {
  /** The servers that could be reached, once all of them have answered or failed. */
  connections(): Promise<readonly McpConnection[]>;
  failures(): Promise<readonly McpFailure[]>;
  /** The connection that has a tool of this name: the first, if several have. */
  find(tool: string): Promise<McpConnection | undefined>;
}

/** Of a conversation that no session has opened yet. */
export const noMcpServers: McpServers = {
  connections: () => Promise.resolve([]),
  failures: () => Promise.resolve([]),
  find: () => Promise.resolve(undefined),
};

type Attempt = McpConnection | McpFailure;

/**
 * Connects to every server of a session (MCP-05), all at once, and lets go of them when the session ends. Opening the
 * session does not wait for them, and a server that fails does not keep it from being opened.
 */
export function connectMcpServers(
  servers: readonly ReceivedMcpServer[],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): McpServers {
  const attempts = Promise.all(servers.map((server) => attempt(server, cwd)));
  signal.addEventListener("abort", () => {
    void attempts.then((all) => Promise.all(all.filter(isConnected).map((each) => each.close().catch(() => {}))));
  });
  return {
    connections: async () => (await attempts).filter(isConnected),
    failures: async () => (await attempts).filter((each): each is McpFailure => !isConnected(each)),
    find: async (name) =>
      (await attempts).filter(isConnected).find(({ tools }) => tools.some((tool) => tool.name === name)),
  };
}

async function attempt(server: ReceivedMcpServer, cwd: string): Promise<Attempt> {
  try {
    return await connectMcpServer(server, cwd);
  } catch (error) {
    return { server: nameOf(server), reason: failureReason(error) };
  }
}

function isConnected(each: Attempt): each is McpConnection {
  return "tools" in each;
}
