import { isObject, randomId, requireObject, readMember } from "@acp/core/internal";
import type { McpFetch } from "./exchange.ts";
import type { McpMessage, MessageMcpNotification, MessageMcpRequest, MessageMcpResponse } from "./mcp-message.ts";
import { createMcpTransport, type McpTransport } from "./mcp-transport.ts";
import { type CallMcpServer, serveAsHttp } from "./serve-as-http.ts";

/** The part of a session that is used here: `session` of a handler's context. */
export interface McpSession {
  /** The client that runs the servers. */
  readonly client: {
    request(
      method: "mcp/message",
      params: MessageMcpRequest,
      options: { readonly signal: AbortSignal },
    ): Promise<MessageMcpResponse>;
  };
  /** Aborts when the session ends. That ends its transports. */
  readonly signal: AbortSignal;
}

/** A server that the client runs: an entry of `session.mcpServers` with `type: "acp"`. */
export interface AcpMcpServer {
  readonly name: string;
  readonly serverId: string;
}

/** How an agent reaches the MCP servers of its clients. */
export interface AcceptedMcpServers {
  /** Spread them into the agent's handlers. They receive the notifications of servers, such as progress. */
  readonly handlers: { readonly "mcp/message": (params: MessageMcpNotification) => void };
  /**
   * Makes a transport to a server of this session, for a `Client` of MCP. It ends with the session.
   *
   * ```ts
   * const client = new Client({ name: "my-agent", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
   * await client.connect(mcp.transport(server, session));
   * ```
   */
  transport(server: AcpMcpServer, session: McpSession): McpTransport;
  /**
   * Makes a server of MCP over HTTP from a server of this session, for backends that need a URL. Serve it at an address that
   * only they can reach.
   */
  fetch(server: AcpMcpServer, session: McpSession): McpFetch;
}

/**
 * Lets an agent use MCP servers that its client runs, over the connection with the client (unstable). Declare
 * `mcpCapabilities: { acp: true }`, spread `handlers` into the agent's, and connect a client of MCP to each entry of
 * `session.mcpServers` with `type: "acp"`.
 *
 * The servers speak MCP of 2026-07-28, which has no state beyond a request; the official client does so with
 * `versionNegotiation: { mode: "auto" }`. One result serves all connections of an agent.
 */
export function acceptMcpServers(): AcceptedMcpServers {
  /** The receiver of notifications for each pending request, by its id. The ids are random, so clients cannot guess others. */
  const receivers = new Map<string, (message: McpMessage) => void>();
  return {
    handlers: {
      // Notifications after the answer are discarded.
      "mcp/message": ({ requestId, method, params }) =>
        receivers.get(requestId)?.({ jsonrpc: "2.0", method, ...(params != null && { params }) }),
    },
    transport: (server, session) => {
      const call = callerOf(server, session);
      return createMcpTransport(server.name, session.signal, call);
    },
    fetch: (server, session) => {
      const call = callerOf(server, session);
      return serveAsHttp(session.signal, call);
    },
  };

  function callerOf(server: AcpMcpServer, session: McpSession): CallMcpServer {
    requireObject(server, "The MCP server is one of session.mcpServers");
    requireObject(
      readMember(session, "signal"),
      "An MCP server needs the session that it belongs to",
      "addEventListener",
    );
    const { serverId } = server;
    const { client } = session;
    return async ({ id, ...request }, signal, onNotification) => {
      const requestId = randomId();
      const rename = renameSubscription(requestId, id);
      receivers.set(requestId, ({ params, ...message }) =>
        onNotification({ ...message, ...(params !== undefined && { params: rename(params) }) }),
      );
      try {
        const outcome = await client.request("mcp/message", { serverId, requestId, ...request }, { signal });
        return "error" in outcome ? outcome : { ...outcome, result: rename(outcome.result) };
      } finally {
        receivers.delete(requestId);
      }
    };
  }
}

const subscriptionMember = "io.modelcontextprotocol/subscriptionId";

/**
 * Messages of an MCP subscription name it in `_meta` by the id of the request that opened it. The server knows that request
 * by its id in ACP. This function puts in the id that the client of MCP knows.
 */
function renameSubscription(requestId: string, id: string | number): <T>(value: T) => T {
  return (value) => {
    const meta = isObject(value) ? value["_meta"] : undefined;
    if (!isObject(meta) || meta[subscriptionMember] !== requestId) return value;
    return { ...value, _meta: { ...meta, [subscriptionMember]: id } };
  };
}
