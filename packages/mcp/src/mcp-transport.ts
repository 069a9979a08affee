import { ConnectionClosedError, UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { McpMessage } from "./mcp-message.ts";
import type { CallMcpServer } from "./serve-as-http.ts";

/** Options for sending a message of MCP. */
export interface McpSendOptions {
  /** Cancels the request. */
  readonly requestSignal?: AbortSignal | undefined;
  /** Ignored. It makes the type compatible with `@modelcontextprotocol/sdk`. */
  readonly relatedRequestId?: string | number | undefined;
}

/** The interface `Transport` of `@modelcontextprotocol/client`, and of the older `@modelcontextprotocol/sdk`. */
export interface McpTransport {
  /** {@link McpSendOptions.requestSignal} can cancel each request. */
  readonly hasPerRequestStream: true;
  onmessage?: ((message: McpMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  /**
   * Sends a request, and resolves when `onmessage` has received the answer.
   *
   * @throws {RequestError} the client has no such server, or the server failed.
   * @throws {ConnectionClosedError} the session or the connection has ended.
   * @throws {UsageError} for an answer or a notification: ACP carries only requests to a server.
   */
  send(message: McpMessage, options?: McpSendOptions): Promise<void>;
  /** Cancels pending requests. The server belongs to the client, and keeps running. */
  close(): Promise<void>;
}

/** Creates a transport to the server of this name, which ends with `sessionSignal`. */
export function createMcpTransport(name: string, sessionSignal: AbortSignal, callServer: CallMcpServer): McpTransport {
  let isClosed = false;
  /** Aborts a pending request, by its id in MCP. */
  const pending = new Map<string | number, AbortController>();
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
    // Older versions of MCP cancel a request like this.
    if (method === "notifications/cancelled" && isObject(params)) {
      pending.get(params["requestId"] as string | number)?.abort();
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
    const abort = new AbortController();
    const cancel = (): void => abort.abort(requestSignal?.reason);
    requestSignal?.addEventListener("abort", cancel, { once: true });
    if (requestSignal?.aborted) cancel();
    pending.set(id, abort);
    try {
      const request = { id, method, ...(params !== undefined && { params }) };
      const answer = await callServer(request, abort.signal, (message) => transport.onmessage?.(message));
      const payload = "error" in answer ? { error: answer.error } : { result: answer.result };
      transport.onmessage?.({ jsonrpc: "2.0", id, ...payload });
    } catch (error) {
      throwIfClosed();
      // A cancelled request has no answer.
      if (!abort.signal.aborted) throw error;
    } finally {
      pending.delete(id);
      requestSignal?.removeEventListener("abort", cancel);
    }
  }

  async function close(): Promise<void> {
    end();
  }

  function end(): void {
    if (isClosed) return;
    isClosed = true;
    sessionSignal.removeEventListener("abort", end);
    for (const abort of pending.values()) abort.abort();
    transport.onclose?.();
  }

  function throwIfClosed(): void {
    if (!isClosed && !sessionSignal.aborted) return;
    throw new ConnectionClosedError(`The connection to the MCP server '${name}' has ended`);
  }
}
