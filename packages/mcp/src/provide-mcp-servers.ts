import { ErrorCode, RequestError } from "@acp/core";
import { describeError, orAborted, requireObject } from "@acp/core/internal";
import type { McpServerAcp } from "@acp/schema/v1/unstable/types";
import { callerOf, type McpFetch } from "./exchange.ts";
import {
  McpErrorCode,
  type MessageMcpNotification,
  type MessageMcpRequest,
  type MessageMcpResponse,
} from "./mcp-message.ts";

/** The part of the context of a handler that is used here. */
export interface McpHandlerContext {
  /** Aborts when the agent cancels the request, or is gone. */
  readonly signal: AbortSignal;
  /** The agent that has sent the request. */
  readonly agent: { notify(method: "mcp/message", params: MessageMcpNotification): Promise<void> };
}

/** The entry of `mcpServers` for a server that the client runs. */
export type ProvidedMcpServer = McpServerAcp & { readonly type: "acp" };

/** The MCP servers of a client. */
export interface ProvidedMcpServers {
  /** Spread them into the client's handlers. */
  readonly handlers: {
    readonly "mcp/message": (params: MessageMcpRequest, context: McpHandlerContext) => Promise<MessageMcpResponse>;
  };
  /** The entries for `mcpServers` of `newSession`, `loadSession` and so on. */
  readonly servers: ProvidedMcpServer[];
}

/**
 * Offers agents MCP servers that the client runs itself, over the connection with the agent (unstable): tools of an editor
 * without a process or a port.
 *
 * A server is a function from a `Request` to a `Response`, as in MCP over HTTP: the `fetch` of `createMcpHandler` of
 * `@modelcontextprotocol/server`, or `(request) => fetch(url, request)` for a remote server, whose credentials then stay with
 * the client. The keys are the names that agents show.
 *
 * ```ts
 * const mcp = provideMcpServers({ "editor-tools": createMcpHandler(makeServer).fetch });
 * const client = createClient({ info, handlers: { ...mcp.handlers } });
 * const session = await agent.newSession({ cwd, mcpServers: mcp.servers });
 * ```
 *
 * With an agent that does not advertise `mcpCapabilities.acp`, opening a session with such servers rejects with a
 * {@link CapabilityError}. One result serves all connections of a client.
 */
export function provideMcpServers(servers: Readonly<Record<string, McpFetch>>): ProvidedMcpServers {
  requireObject(servers, "provideMcpServers() takes an object of servers");
  const known = new Map(Object.entries(servers).map(([name, server]) => [name, callerOf(server)]));
  /** The pending requests of each agent, whose ids have to be unique. */
  const pending = new WeakMap<object, Set<string>>();
  return {
    handlers: { "mcp/message": answer },
    servers: [...known.keys()].map((name) => ({ type: "acp", name, serverId: name })),
  };

  async function answer(params: MessageMcpRequest, { agent, signal }: McpHandlerContext): Promise<MessageMcpResponse> {
    const { serverId, requestId } = params;
    const call = known.get(serverId);
    if (call === undefined) {
      const message = `There is no MCP server '${serverId}'`;
      throw new RequestError({ code: McpErrorCode.serverUnavailable, message });
    }
    const ids = pending.get(agent) ?? new Set();
    pending.set(agent, ids);
    const key = JSON.stringify([serverId, requestId]);
    if (ids.has(key)) {
      const message = `requestId: '${requestId}' is being answered by '${serverId}' already`;
      throw new RequestError({ code: ErrorCode.invalidParams, message });
    }
    ids.add(key);
    try {
      const answered = call(params, signal, (method, sent) =>
        agent.notify("mcp/message", { serverId, requestId, method, ...(sent !== undefined && { params: sent }) }),
      );
      // A server may ignore the signal.
      return await orAborted(answered, signal);
    } catch (error) {
      // The connection answers a cancelled request.
      if (signal.aborted) throw signal.reason;
      const message = `The MCP server '${serverId}' failed: ${reasonOf(error)}`;
      throw new RequestError({ code: McpErrorCode.serverFailed, message }, { cause: error });
    } finally {
      ids.delete(key);
    }
  }
}

/** The message of `fetch` says only that it has failed; the cause says why. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return describeError(error) + (cause === undefined ? "" : `: ${describeError(cause)}`);
}
