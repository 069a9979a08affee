import { type Awaitable, UsageError } from "@acp/core";
import { randomId, resumeParameter } from "@acp/core/internal";
import { connectionHeader } from "../wire-names.ts";
import { refusal } from "./answers.ts";
import { Connections } from "./connections.ts";
import { createHttpEndpoint } from "./http-endpoint.ts";
import { isIdentity } from "./identity.ts";
import { type HttpServerOptions, limitsFrom, type WebSocketUpgrade } from "./options.ts";
import { Origins } from "./origins.ts";
import { countUnfinished, createSocketTransport } from "./socket-transport.ts";

/** Serves agents over HTTP and WebSockets. It does not listen itself: pass it the requests. */
export interface HttpServer {
  /** The number of open connections, over HTTP and WebSockets. */
  readonly connections: number;
  /** The largest message, in bytes of UTF-8: the option of this name, or its default. */
  readonly maxMessageBytes: number;
  /**
   * Answers a request. Never rejects. `signal` aborts when the sender no longer waits for the answer. Default: the signal of the
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
 * Each `initialize` opens a connection, with a random UUID as its id. With `authorize`, only the identity that has opened a
 * connection can use it. Without, anybody who knows the id can: serve over TLS or on the local machine only. The state of all connections is in this process:
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
export function createHttpServer<Identity extends object | true = true>(
  options: HttpServerOptions<Identity>,
): HttpServer {
  if (options?.agent == null) throw new UsageError("A server needs an agent: createHttpServer({ agent })");
  for (const name of ["authorize", "sameIdentity"] as const) {
    const given: unknown = options[name];
    // Left out, everybody would be admitted.
    if (given != null && typeof given !== "function") throw new UsageError(`${name} is no function`);
  }
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
      const identity: unknown = options.authorize == null ? true : await options.authorize(request);
      if (isResponse(identity)) return refusedBy(identity);
      if (!isIdentity(identity)) return refuse(identity);
      // By its type, a value of `authorize` that admits is an identity.
      return await answer(identity as Identity);
    } catch (error) {
      return connections.failed(error);
    }
  }

  /** Refuses a value that is not an identity. */
  function refuse(value: unknown): Response {
    // `undefined`, `null` and `false` refuse; any other value was probably meant as an identity, which is a mistake.
    if (value != null && value !== false) {
      const what = Array.isArray(value) ? "an array" : value instanceof Error ? "an Error" : `a ${typeof value}`;
      const message = `authorize returned ${what}, which admits nobody: return an object or true to admit the sender`;
      connections.report(401, message);
    }
    return refusal(401, "You may not use this server: send the credentials that it asks for");
  }

  const handle: HttpServer["handle"] = async (request, handleOptions) => {
    if (request.method === "OPTIONS") return origins.refuse(request) ?? origins.preflight(request);
    const answer = await admit(request, (identity) => endpoint(request, identity, handleOptions?.signal));
    // RFC 9110, section 9.6: no request can follow an unread body on the same network connection.
    if (request.body !== null && !request.bodyUsed) answer.headers.set("Connection", "close");
    return origins.refuse(request) === undefined ? origins.expose(request, answer) : answer;
  };

  return {
    get connections() {
      return connections.size;
    },
    maxMessageBytes: limits.maxMessageBytes,
    handle,
    upgrade: (request) => admit(request, (identity) => upgrade(request, identity, connections)),
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
async function upgrade<Identity extends object | true>(
  request: Request,
  identity: Identity,
  connections: Connections<Identity>,
): Promise<WebSocketUpgrade | Response> {
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
    return refusal(426, "Expected the upgrade to a WebSocket", { Upgrade: "websocket" });
  const { limits, sockets } = connections;
  const mode = limits.resumeTimeout > 0 ? new URL(request.url).searchParams.get(resumeParameter) : null;
  if (mode === "again") {
    if (sockets.greeting < limits.maxConnections)
      return {
        headers: {},
        accept: (socket, onBytes) => {
          countUnfinished(socket, connections, onBytes);
          sockets.resume(identity, socket);
        },
        discard: () => {},
      };
    return connections.refuse(503, `${sockets.greeting} sockets are about to resume (maxConnections)`);
  }
  const release = connections.reserve();
  if (release instanceof Response) return release;
  try {
    const agent = await connections.agentFor(request, identity);
    const id = randomId();
    return {
      headers: { [connectionHeader]: id },
      accept: (socket, onBytes) => {
        countUnfinished(socket, connections, onBytes);
        const lasting = mode === "new" ? sockets.open(id, identity, socket) : socket;
        connections.connect(agent, createSocketTransport(lasting, connections), release);
      },
      discard: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}
