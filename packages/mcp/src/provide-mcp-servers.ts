import { ErrorCode, RequestError } from "@acp/core";
import { describeError, orAborted } from "@acp/core/internal";
import type { McpServerAcp } from "@acp/schema/v1/unstable/types";
import { linkTo, type McpFetch } from "./exchange.ts";
import {
  McpErrorCode,
  type MessageMcpNotification,
  type MessageMcpRequest,
  type MessageMcpResponse,
} from "./mcp-message.ts";

/** What a handler of `mcp/message` gets beside the params, as far as it matters here. */
export interface McpHandlerContext {
  /** Aborts when the agent takes the request back, or goes. */
  readonly signal: AbortSignal;
  /** The agent that asks. */
  readonly agent: { notify(method: "mcp/message", params: MessageMcpNotification): Promise<void> };
}

/** The entry of `mcpServers` for a server that the client runs. */
export type ProvidedMcpServer = McpServerAcp & { readonly type: "acp" };

/** A client's side of the MCP servers that it runs. */
export interface ProvidedMcpServers {
  /** To be spread into the client's handlers. */
  readonly handlers: {
    readonly "mcp/message": (params: MessageMcpRequest, context: McpHandlerContext) => Promise<MessageMcpResponse>;
  };
  /** For `mcpServers` of `newSession`, `loadSession` and so on: those of the servers that the session is to have. */
  readonly servers: ProvidedMcpServer[];
}

/**
 * Gives agents MCP servers that the client runs itself, over the connection that both have anyway (unstable): tools of an
 * editor without a process or a port of their own.
 *
 * A server is a function from a `Request` to a `Response`, as MCP over HTTP has it: `fetch` of what `createMcpHandler` of
 * `@modelcontextprotocol/server` makes, or `(request) => fetch(url, request)` for one elsewhere, whose credentials then
 * stay with the client. The keys are the names that agents show.
 *
 * ```ts
 * const mcp = provideMcpServers({ "editor-tools": createMcpHandler(makeServer).fetch });
 * const client = createClient({ info, handlers: { ...mcp.handlers } });
 * const session = await agent.newSession({ cwd, mcpServers: mcp.servers });
 * ```
 *
 * Agents that do not advertise `mcpCapabilities.acp` cannot take such servers: opening a session then rejects with a
 * {@link CapabilityError}. One definition serves all connections of a client.
 */
export function provideMcpServers(servers: Readonly<Record<string, McpFetch>>): ProvidedMcpServers {
  const known = new Map(Object.entries(servers).map(([name, server]) => [name, linkTo(server)]));
  /** The requests that are being answered, by who asks: their ids are no other's at that time. */
  const answering = new WeakMap<object, Set<string>>();
  return {
    handlers: { "mcp/message": answer },
    servers: [...known.keys()].map((name) => ({ type: "acp", name, serverId: name })),
  };

  async function answer(params: MessageMcpRequest, { agent, signal }: McpHandlerContext): Promise<MessageMcpResponse> {
    const { serverId, requestId } = params;
    const server = known.get(serverId);
    if (server === undefined) {
      throw new RequestError({
        code: McpErrorCode.serverUnavailable,
        message: `There is no MCP server '${serverId}'`,
      });
    }
    const ids = answering.get(agent) ?? new Set();
    answering.set(agent, ids);
    const key = JSON.stringify([serverId, requestId]);
    if (ids.has(key)) {
      const message = `requestId: '${requestId}' is being answered by '${serverId}' already`;
      throw new RequestError({ code: ErrorCode.invalidParams, message });
    }
    ids.add(key);
    try {
      const answered = server.ask(params, signal, (method, told) =>
        agent.notify("mcp/message", { serverId, requestId, method, ...(told !== undefined && { params: told }) }),
      );
      // A server need not look at the signal.
      return await orAborted(answered, signal);
    } catch (error) {
      // Taken back, which is answered by who has asked for this.
      if (signal.aborted) throw signal.reason;
      const message = `The MCP server '${serverId}' failed: ${reasonOf(error)}`;
      throw new RequestError({ code: McpErrorCode.serverFailed, message }, { cause: error });
    } finally {
      ids.delete(key);
    }
  }
}

/** `fetch` says only that it has failed, and the cause says why. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return describeError(error) + (cause === undefined ? "" : `: ${describeError(cause)}`);
}
