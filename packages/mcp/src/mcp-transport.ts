import { ConnectionClosedError, UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { McpMessage } from "./mcp-message.ts";
import type { AskServer } from "./serve-as-http.ts";

/** How a message of MCP is sent, as far as it matters here. */
export interface McpSendOptions {
  /** Gives up waiting for the answer of the request. */
  readonly requestSignal?: AbortSignal | undefined;
  /** What a message belongs to. Not looked at; it makes this the type of `@modelcontextprotocol/sdk`, too. */
  readonly relatedRequestId?: string | number | undefined;
}

/**
 * What `Client` of `@modelcontextprotocol/client` connects by: its interface `Transport`. It is also that of the older
 * `@modelcontextprotocol/sdk`.
 */
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

/** A transport to the server of this name, which ends with `sessionSignal`. */
export function createMcpTransport(name: string, sessionSignal: AbortSignal, askServer: AskServer): McpTransport {
  let isClosed = false;
  /** What takes back a request, by its id in MCP. */
  const open = new Map<string | number, AbortController>();
  const transport: McpTransport = { hasPerRequestStream: true, start, send, close };
  return transport;

  async function start(): Promise<void> {
    throwIfClosed();
    sessionSignal.addEventListener("abort", end, { once: true });
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
    const withdrawal = new AbortController();
    const withdraw = (): void => withdrawal.abort(requestSignal?.reason);
    requestSignal?.addEventListener("abort", withdraw, { once: true });
    if (requestSignal?.aborted) withdraw();
    open.set(id, withdrawal);
    try {
      const request = { id, method, ...(params !== undefined && { params }) };
      const outcome = await askServer(request, withdrawal.signal, (told) => transport.onmessage?.(told));
      const answer = "error" in outcome ? { error: outcome.error } : { result: outcome.result };
      transport.onmessage?.({ jsonrpc: "2.0", id, ...answer });
    } catch (error) {
      throwIfClosed();
      // Who has taken it back waits for nothing.
      if (!withdrawal.signal.aborted) throw error;
    } finally {
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
    sessionSignal.removeEventListener("abort", end);
    for (const withdrawal of open.values()) withdrawal.abort();
    transport.onclose?.();
  }

  function throwIfClosed(): void {
    if (!isClosed && !sessionSignal.aborted) return;
    throw new ConnectionClosedError(`The connection to the MCP server '${name}' has ended`);
  }
}
