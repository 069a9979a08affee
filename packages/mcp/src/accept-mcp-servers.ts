import type { McpFetch } from "./exchange.ts";
import type { McpMessage, MessageMcpNotification, MessageMcpRequest, MessageMcpResponse } from "./mcp-message.ts";
import { renameSubscription } from "./subscription-id.ts";
import { createMcpTransport, type McpTransport } from "./mcp-transport.ts";
import { type AskServer, serveAsHttp } from "./serve-as-http.ts";

/** A session of an agent, as far as it matters here: `session` of a handler's context. */
export interface McpSession {
  /** The client that runs the servers. */
  readonly client: {
    request(
      method: "mcp/message",
      params: MessageMcpRequest,
      options: { readonly signal: AbortSignal },
    ): Promise<MessageMcpResponse>;
  };
  /** Aborts when the session ends, and what is connected for it with it. */
  readonly signal: AbortSignal;
}

/** A server that the client runs: an entry of `session.mcpServers` with `type: "acp"`. */
export interface AcpMcpServer {
  readonly name: string;
  readonly serverId: string;
}

/** An agent's side of the MCP servers that clients run. */
export interface AcceptedMcpServers {
  /** To be spread into the agent's handlers: it takes what the servers tell while they answer, such as progress. */
  readonly handlers: { readonly "mcp/message": (params: MessageMcpNotification) => void };
  /**
   * Makes a transport to a server of this session, for a `Client` of MCP to connect by. It ends with the session.
   *
   * ```ts
   * const client = new Client({ name: "my-agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
   * await client.connect(mcp.transport(server, session));
   * ```
   */
  transport(server: AcpMcpServer, session: McpSession): McpTransport;
  /**
   * Makes a server of MCP over HTTP of a server of this session, for backends that take nothing but a URL: serve it at an
   * address that only they can reach.
   */
  fetch(server: AcpMcpServer, session: McpSession): McpFetch;
}

/**
 * Lets an agent reach MCP servers that its client runs, over the connection that both have anyway (unstable). Declare
 * `mcpCapabilities: { acp: true }`, spread `handlers` into the agent's, and connect a client of MCP to each entry of
 * `session.mcpServers` that has `type: "acp"`.
 *
 * Servers speak MCP of 2026-07-28, which has no state beyond a request: `versionNegotiation: { mode: "auto" }` makes the
 * official client do so. One definition serves all connections of an agent.
 */
export function acceptMcpServers(): AcceptedMcpServers {
  /** Who takes what is told for a request, by its id. They are random: nobody can tell something for one of others. */
  const asked = new Map<string, (message: McpMessage) => void>();
  return {
    handlers: {
      // What comes behind the answer is for nobody.
      "mcp/message": ({ requestId, method, params }) =>
        asked.get(requestId)?.({ jsonrpc: "2.0", method, ...(params != null && { params }) }),
    },
    transport: (server, session) => createMcpTransport(server.name, session.signal, askOf(server, session)),
    fetch: (server, session) => serveAsHttp(session.signal, askOf(server, session)),
  };

  function askOf({ serverId }: AcpMcpServer, { client }: McpSession): AskServer {
    return async ({ id, ...request }, signal, tell) => {
      const requestId = crypto.randomUUID();
      const rename = renameSubscription(requestId, id);
      asked.set(requestId, ({ params, ...message }) =>
        tell({ ...message, ...(params !== undefined && { params: rename(params) }) }),
      );
      try {
        const outcome = await client.request("mcp/message", { serverId, requestId, ...request }, { signal });
        return "error" in outcome ? outcome : { ...outcome, result: rename(outcome.result) };
      } finally {
        asked.delete(requestId);
      }
    };
  }
}
