import { ErrorCode, RequestError } from "@acp/core";
import { describeError, isObject } from "@acp/core/internal";
import type { McpFetch } from "./exchange.ts";
import type { McpMessage, MessageMcpResponse } from "./mcp-message.ts";

interface McpRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown };
}

/** Sends a request to a server of the client, and resolves with its answer. */
export type CallMcpServer = (
  request: McpRequest,
  signal: AbortSignal,
  onNotification: (notification: McpMessage) => void,
) => Promise<MessageMcpResponse>;

/** The limit for notifications that a slow reader has not read, in bytes. */
const maxQueued = 2 ** 20;

/** Makes a server of MCP over HTTP whose requests go to `call`, until the session ends. */
export function serveAsHttp(sessionSignal: AbortSignal, call: CallMcpServer): McpFetch {
  return async (request) => {
    // There are no messages between requests (GET), and no session to end (DELETE).
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const message: unknown = await request.json().catch(() => undefined);
    if (!isObject(message) || typeof message["method"] !== "string") {
      const error = { code: ErrorCode.invalidRequest, message: "The body is no request of MCP" };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
    }
    const { id, method, params } = message;
    // ACP carries no notifications to a server. Those of older versions of MCP are not needed.
    if (typeof id !== "string" && typeof id !== "number") return new Response(null, { status: 202 });
    const sent = { id, method, ...(isObject(params) && { params }) };
    return answer(id, [request.signal, sessionSignal], (signal, onNotification) => call(sent, signal, onNotification));
  };
}

/** Answers with JSON, or with a stream of events if there are notifications before the answer. */
async function answer(
  id: string | number,
  ends: readonly AbortSignal[],
  call: (signal: AbortSignal, onNotification: (notification: McpMessage) => void) => Promise<MessageMcpResponse>,
): Promise<Response> {
  const abort = new AbortController();
  const cancel = (): void => abort.abort();
  for (const end of ends) end.addEventListener("abort", cancel, { once: true });
  if (ends.some((end) => end.aborted)) cancel();
  const events = createEvents(cancel);
  const answered = call(abort.signal, events.notify)
    .then(
      (outcome) => ("error" in outcome ? { error: outcome.error } : { result: outcome.result }),
      (error: unknown) => ({ error: errorOf(error) }),
    )
    .then((outcome) => {
      for (const end of ends) end.removeEventListener("abort", cancel);
      return { jsonrpc: "2.0" as const, id, ...outcome };
    });
  const first = await Promise.race([answered, events.begun]);
  if (first !== undefined) return Response.json(first);
  void answered.then((message) => events.end(message));
  return new Response(events.stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

/** A stream of server-sent events with a limit for what its reader has not read. */
function createEvents(onCancel: () => void) {
  const encoder = new TextEncoder();
  let isOver = false;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let resolveBegun!: () => void;
  const begun = new Promise<undefined>((resolve) => (resolveBegun = () => resolve(undefined)));
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (own) => void (controller = own),
      cancel() {
        isOver = true;
        onCancel();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxQueued }),
  );
  return { stream, begun, notify, end };

  function notify(message: McpMessage): void {
    if (isOver) return;
    if ((controller.desiredSize ?? 0) > 0) return enqueue(message);
    isOver = true;
    controller.error(new Error("The notifications of the MCP server are not read"));
    onCancel();
  }

  /** The answer is sent whatever its size: nothing follows it. */
  function end(message: McpMessage): void {
    if (isOver) return;
    enqueue(message);
    controller.close();
    isOver = true;
  }

  function enqueue(message: McpMessage): void {
    controller.enqueue(encoder.encode(`data: ${JSON.stringify(message)}\n\n`));
    resolveBegun();
  }
}

/** The answer to a request that no server has answered: the error of the client. */
function errorOf(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof RequestError) return { code: error.wire.code, message: error.wire.message };
  return { code: ErrorCode.internalError, message: describeError(error) };
}
