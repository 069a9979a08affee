import type { McpPlace } from "./mcp-connection.ts";
import { McpServer } from "./mcp-server.ts";
import type { ReceivedMcpServer } from "./received-mcp-server.ts";

/** The MCP servers of a session, in the order in which the client has named them. */
export interface McpServers {
  readonly all: readonly McpServer[];
  /**
   * Resolves with the servers that are there, once each of them is or cannot be reached; or when `signal` aborts.
   */
  connected(signal?: AbortSignal): Promise<readonly McpServer[]>;
  /** Resolves as `connected` does, with the servers that are still starting. */
  starting(signal: AbortSignal): Promise<readonly McpServer[]>;
  /** Takes what there is to tell the user since the last call: servers that have failed, or were started again. */
  takeReports(): readonly string[];
}

/** For a conversation before a session has opened it. */
export const noMcpServers: McpServers = {
  all: [],
  connected: () => Promise.resolve([]),
  starting: () => Promise.resolve([]),
  takeReports: () => [],
};

/** Where the servers of a session work, and how long. */
export interface McpSession extends McpPlace {
  /** Aborts when the session ends: then the servers end. */
  readonly signal: AbortSignal;
}

/**
 * Starts to connect to all servers of a session (MCP-05). It returns at once: a slow or broken server does not keep the session
 * from opening.
 */
export function connectMcpServers(servers: readonly ReceivedMcpServer[], session: McpSession): McpServers {
  let reports: string[] = [];
  const all = servers.map((server) => new McpServer(server, session, (sentence) => void reports.push(sentence)));
  session.signal.addEventListener("abort", () => {
    for (const server of all) void server.close();
  });
  return {
    all,
    async starting(signal) {
      const waiting = new Set(all);
      const settled = all.map((server) => server.connection().then(() => waiting.delete(server)));
      await Promise.race([Promise.all(settled), aborted(signal)]);
      return all.filter((server) => waiting.has(server));
    },
    async connected(signal) {
      const settled = Promise.all(all.map((server) => server.connection()));
      await (signal === undefined ? settled : Promise.race([settled, aborted(signal)]));
      return all.filter(({ failure, tools }) => failure === undefined && tools.length > 0);
    },
    takeReports() {
      const taken = reports;
      reports = [];
      return taken;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
