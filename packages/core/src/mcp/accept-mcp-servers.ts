import { ConnectionClosedError, UsageError } from "../errors.ts";
import { isObject } from "../is-object.ts";
import type { McpMessage, MessageMcpNotification, MessageMcpRequest, MessageMcpResponse } from "./mcp-message.ts";

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

/** How a message of MCP is sent, as far as it matters here. */
export interface McpSendOptions {
  /** Gives up waiting for the answer of the request. */
  readonly requestSignal?: AbortSignal | undefined;
}

/** What `Client` of `@modelcontextprotocol/client` connects by: its interface `Transport`. */
export interface McpTransport {
  /** Each request is one of its own, which {@link McpSendOptions.requestSignal} can take back. */
  readonly hasPerRequestStream: true;
  onmessage?: ((message: McpMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  /**
   * Sends a request, and resolves when its answer has been handed to `onmessage`.
   *
   * @throws {RequestError} the client has no such server, or could not ask it.
   * @throws {ConnectionClosedError} the session or the connection has ended.
   * @throws {UsageError} for what only a server sends, and notifications, which have no way to a server.
   */
  send(message: McpMessage, options?: McpSendOptions): Promise<void>;
  /** Gives up what is being asked. The server itself goes on: it is the client's. */
  close(): Promise<void>;
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
      "mcp/message": ({ requestId, method, params }) => asked.get(requestId)?.(notificationOf(method, params)),
    },
    transport: (server, session) => createMcpTransport(server, session, asked),
  };
}

function notificationOf(method: string, params: MessageMcpNotification["params"]): McpMessage {
  return { jsonrpc: "2.0", method, ...(params != null && { params }) };
}

function createMcpTransport(
  { name, serverId }: AcpMcpServer,
  session: McpSession,
  asked: Map<string, (message: McpMessage) => void>,
): McpTransport {
  let isClosed = false;
  /** What takes back a request, by its id in MCP. */
  const open = new Map<string | number, AbortController>();
  const transport: McpTransport = { hasPerRequestStream: true, start, send, close };
  return transport;

  async function start(): Promise<void> {
    throwIfClosed();
    session.signal.addEventListener("abort", end, { once: true });
  }

  async function send(message: McpMessage, options?: McpSendOptions): Promise<void> {
    throwIfClosed();
    const { id, method, params } = message;
    if (method === undefined) throw new UsageError(`The MCP server '${name}' asks nothing, so it is answered nothing`);
    if (id !== undefined) return ask(id, method, params, options?.requestSignal);
    // An older MCP takes a request back in this way.
    if (method === "notifications/cancelled" && isObject(params)) {
      open.get(params["requestId"] as string | number)?.abort();
    } else if (method !== "notifications/initialized") {
      throw new UsageError(`${method} cannot reach the MCP server '${name}': over ACP it gets requests only`);
    }
  }

  async function ask(
    id: string | number,
    method: string,
    params: McpMessage["params"],
    requestSignal: AbortSignal | undefined,
  ): Promise<void> {
    const requestId = crypto.randomUUID();
    const withdrawal = new AbortController();
    const { signal } = withdrawal;
    const withdraw = (): void => withdrawal.abort(requestSignal?.reason);
    requestSignal?.addEventListener("abort", withdraw, { once: true });
    if (requestSignal?.aborted) withdraw();
    open.set(id, withdrawal);
    asked.set(requestId, (message) => transport.onmessage?.(message));
    try {
      const request = { serverId, requestId, method, ...(params !== undefined && { params }) };
      const outcome = await session.client.request("mcp/message", request, { signal });
      // Nothing is told any more once it is answered.
      asked.delete(requestId);
      const answer = "error" in outcome ? { error: outcome.error } : { result: outcome.result };
      transport.onmessage?.({ jsonrpc: "2.0", id, ...answer });
    } catch (error) {
      throwIfClosed();
      // Who has taken it back waits for nothing.
      if (!signal.aborted) throw error;
    } finally {
      asked.delete(requestId);
      open.delete(id);
      requestSignal?.removeEventListener("abort", withdraw);
    }
  }

  async function close(): Promise<void> {
    end();
  }

  function end(): void {
    if (isClosed) return;
    isClosed = true;
    session.signal.removeEventListener("abort", end);
    for (const withdrawal of open.values()) withdrawal.abort();
    transport.onclose?.();
  }

  function throwIfClosed(): void {
    if (!isClosed && !session.signal.aborted) return;
    throw new ConnectionClosedError(`The connection to the MCP server '${name}' has ended`);
  }
}
