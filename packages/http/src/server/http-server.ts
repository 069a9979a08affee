import { type Awaitable, createWebSocketTransport, UsageError } from "@acp/core";
import { connectionHeader } from "../wire-names.ts";
import { refusal } from "./answers.ts";
import { Connections } from "./connections.ts";
import { createHttpEndpoint } from "./http-endpoint.ts";
import { type HttpServerOptions, type Limits, limitsFrom, type WebSocketUpgrade } from "./options.ts";
import { Origins } from "./origins.ts";

/** Serves agents over HTTP and WebSockets. It does not listen itself: pass it the requests. */
export interface HttpServer {
  /** The number of open connections, over HTTP and WebSockets. */
  readonly connections: number;
  /**
   * Answers a request. Never rejects. `signal` aborts when nobody waits for the answer any more. Default: the signal of the
   * request.
   */
  handle(request: Request, options?: { readonly signal?: AbortSignal | undefined }): Promise<Response>;
  /**
   * Prepares the upgrade of a request to a WebSocket, or returns the answer that refuses it. The handlers in the packages of
   * the runtimes call it.
   */
  upgrade(request: Request): Promise<WebSocketUpgrade | Response>;
  /** Ends all connections, as `close()` of each agent's connection does. New ones are answered with 503. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves agents to remote clients over Streamable HTTP, which is a draft of the protocol, and WebSockets. It takes
 * web-standard requests, as `Deno.serve`, `Bun.serve`, Hono and edge workers have them; `@acp/node/http` converts those of
 * Node.js.
 *
 * Each `initialize` opens a connection, with a random UUID as its id. Whoever knows the id can use the connection: serve over
 * TLS or on the local machine only, and restrict access with `authorize`. The state of all connections is in this process:
 * behind a load balancer, clients have to come back to the same one, which they do with its cookies.
 *
 * @example
 * ```ts
 * const server = createHttpServer({ agent });
 * Deno.serve({ port: 8080 }, (request) => server.handle(request));
 * ```
 *
 * @throws {UsageError} without an agent, or for invalid limits or origins.
 */
export function createHttpServer<Identity = undefined>(options: HttpServerOptions<Identity>): HttpServer {
  if (options?.agent == null) throw new UsageError("A server needs an agent: createHttpServer({ agent })");
  const limits = limitsFrom(options);
  const origins = new Origins(options.allowedOrigins ?? []);
  const connections = new Connections(options, limits);
  const endpoint = createHttpEndpoint(connections, limits);

  /** Answers a request that its origin and `authorize` admit. */
  async function admit<T>(
    request: Request,
    answer: (identity: Identity) => Awaitable<T | Response>,
  ): Promise<T | Response> {
    const refused = origins.refuse(request);
    if (refused !== undefined) return refused;
    try {
      const identity = await options.authorize?.(request);
      // As an identity, it would admit everybody.
      if (identity === false) return refusal(403, "You may not use this server");
      if (isResponse(identity)) return refusedBy(identity);
      return await answer(identity as Identity);
    } catch (error) {
      return connections.failed(error);
    }
  }

  const handle: HttpServer["handle"] = async (request, handleOptions) => {
    if (request.method === "OPTIONS") return origins.refuse(request) ?? origins.preflight(request);
    const answer = await admit(request, (identity) => endpoint(request, identity, handleOptions?.signal));
    return origins.refuse(request) === undefined ? origins.expose(request, answer) : answer;
  };

  return {
    get connections() {
      return connections.size;
    },
    handle,
    upgrade: (request) => admit(request, (identity) => upgrade(request, identity, connections, limits)),
    close: () => connections.close(),
    [Symbol.asyncDispose]: () => connections.close(),
  };
}

/** Recognises responses of other implementations too, such as that of the package `undici`. */
function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}

function refusedBy(response: Response): Response {
  const { body, bodyUsed, status, headers } = response;
  if (bodyUsed || body?.locked === true)
    throw new UsageError("authorize returned a Response that was sent before: make a new one for each request");
  return response instanceof Response ? response : new Response(body, { status, headers });
}

/** Prepares an upgrade to a WebSocket, which is a connection of its own. */
async function upgrade<Identity>(
  request: Request,
  identity: Identity,
  connections: Connections<Identity>,
  limits: Limits,
): Promise<WebSocketUpgrade | Response> {
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
    return refusal(426, "Expected the upgrade to a WebSocket", { Upgrade: "websocket" });
  const release = connections.reserve();
  if (release instanceof Response) return release;
  try {
    const agent = await connections.agentFor(request, identity);
    return {
      headers: { [connectionHeader]: crypto.randomUUID() },
      accept: (socket) => connections.connect(agent, createWebSocketTransport(socket, limits), release),
      discard: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}
