import { describeError } from "../describe-error.ts";
import { connectMcpServer, type McpConnection } from "./mcp-connection.ts";
import { type ReceivedMcpServer, serverName } from "./received-mcp-server.ts";

/** A server to which the agent could not connect. */
export interface McpFailure {
  readonly server: string;
  readonly reason: string;
}

/** The MCP servers of a session. */
export interface McpServers {
  /** Resolves with the connections that succeeded, once no attempt is pending. */
  connections(): Promise<readonly McpConnection[]>;
  /** Resolves with the attempts that failed, once no attempt is pending. */
  failures(): Promise<readonly McpFailure[]>;
  /** Resolves with the first connection that has a tool of this name. */
  find(tool: string): Promise<McpConnection | undefined>;
}

/** For a conversation before a session has opened it. */
export const noMcpServers: McpServers = {
  connections: () => Promise.resolve([]),
  failures: () => Promise.resolve([]),
  find: () => Promise.resolve(undefined),
};

type Outcome = McpConnection | McpFailure;

/**
 * Starts to connect to all servers of a session (MCP-05), and closes the connections when `signal` aborts. It returns at
 * once: a slow or broken server does not keep the session from opening.
 */
export function connectMcpServers(
  servers: readonly ReceivedMcpServer[],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): McpServers {
  const outcomes = Promise.all(servers.map((server) => tryToConnect(server, cwd)));
  signal.addEventListener("abort", () => {
    void outcomes.then((settled) =>
      Promise.all(settled.filter(isConnected).map((connection) => connection.close().catch(() => {}))),
    );
  });
  return {
    connections: async () => (await outcomes).filter(isConnected),
    failures: async () => (await outcomes).filter((outcome): outcome is McpFailure => !isConnected(outcome)),
    find: async (name) =>
      (await outcomes).filter(isConnected).find(({ tools }) => tools.some((tool) => tool.name === name)),
  };
}

async function tryToConnect(server: ReceivedMcpServer, cwd: string): Promise<Outcome> {
  try {
    return await connectMcpServer(server, cwd);
  } catch (error) {
    return { server: serverName(server), reason: describeError(error) };
  }
}

function isConnected(outcome: Outcome): outcome is McpConnection {
  return "tools" in outcome;
}
