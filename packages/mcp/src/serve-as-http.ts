import { ErrorCode, RequestError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { McpFetch } from "./exchange.ts";
import type { McpMessage, MessageMcpResponse } from "./mcp-message.ts";

/** A request of MCP. */
interface McpRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown };
}

/** Puts a request to a server, and resolves with what it answers. */
export type AskServer = (
  request: McpRequest,
  signal: AbortSignal,
  tell: (notification: McpMessage) => void,
) => Promise<MessageMcpResponse>;

/** While so much of what a server tells waits for a slow reader, no more is taken; in bytes. */
const maxWaiting = 2 ** 20;

/** A server as MCP over HTTP has one: what is asked there is put to it by `ask`, until the session ends. */
export function serveAsHttp(sessionSignal: AbortSignal, ask: AskServer): McpFetch {
  return async (request) => {
    // There is nothing to listen to between requests, and no session to end.
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const message: unknown = await request.json().catch(() => undefined);
    if (!isObject(message) || typeof message["method"] !== "string") {
      const error = { code: ErrorCode.invalidRequest, message: "The body is no request of MCP" };
      return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
    }
    const { id, method, params } = message;
    // Notifications have no way to a server; those of older versions of MCP lose nothing by that.
    if (typeof id !== "string" && typeof id !== "number") return new Response(null, { status: 202 });
    const asked = { id, method, ...(isObject(params) && { params }) };
    return answer(id, [request.signal, sessionSignal], (signal, tell) => ask(asked, signal, tell));
  };
}

/** An answer is JSON, or the last event of a stream if something was told before it. */
async function answer(
  id: string | number,
  ends: readonly AbortSignal[],
  ask: (signal: AbortSignal, tell: (notification: McpMessage) => void) => Promise<MessageMcpResponse>,
): Promise<Response> {
  const withdrawal = new AbortController();
  const withdraw = (): void => withdrawal.abort();
  for (const end of ends) end.addEventListener("abort", withdraw, { once: true });
  if (ends.some((end) => end.aborted)) withdraw();
  const events = createEvents(withdraw);
  const answered = ask(withdrawal.signal, events.tell)
    .then(
      (outcome) => ("error" in outcome ? { error: outcome.error } : { result: outcome.result }),
      (error: unknown) => ({ error: errorOf(error) }),
    )
    .then((outcome) => {
      for (const end of ends) end.removeEventListener("abort", withdraw);
      return { jsonrpc: "2.0" as const, id, ...outcome };
    });
  const first = await Promise.race([answered, events.told]);
  if (first !== undefined) return Response.json(first);
  void answered.then((message) => events.end(message));
  return new Response(events.stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

/** A stream of server-sent events, of which not more than a bounded part waits for its reader. */
function createEvents(withdraw: () => void) {
  const encoder = new TextEncoder();
  let isOver = false;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let resolveTold!: () => void;
  const told = new Promise<undefined>((resolve) => (resolveTold = () => resolve(undefined)));
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      cancel() {
        isOver = true;
        withdraw();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaiting }),
  );
  return { stream, told, tell, end };

  function tell(message: McpMessage): void {
    if (isOver) return;
    if ((controller.desiredSize ?? 0) > 0) return enqueue(message);
    isOver = true;
    controller.error(new Error("Nobody reads what the MCP server tells"));
    withdraw();
  }

  /** The answer goes out in any case, whatever its size: it is the last that is kept. */
  function end(message: McpMessage): void {
    if (isOver) return;
    enqueue(message);
    controller.close();
    isOver = true;
  }

  function enqueue(message: McpMessage): void {
    controller.enqueue(encoder.encode(`data: ${JSON.stringify(message)}\n\n`));
    resolveTold();
  }
}

/** Where no server has said anything, what the client has said of that. */
function errorOf(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof RequestError) return { code: error.wire.code, message: error.wire.message };
  return { code: ErrorCode.internalError, message: error instanceof Error ? error.message : String(error) };
}
