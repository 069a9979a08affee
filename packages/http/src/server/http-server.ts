import {
  type AgentDefinition,
  type Awaitable,
  type DiagnosticListener,
  UsageError,
  type WebSocketLike,
} from "@acp/core";
import { refusal } from "./answers.ts";
import { createConnections } from "./connections.ts";
import { createHttpEndpoint } from "./http-endpoint.ts";
import { type HttpServerLimits, limitsFrom } from "./limits.ts";
import { createOrigins } from "./origins.ts";
import { createUpgrades } from "./upgrades.ts";

/** Options of {@link createHttpServer}. `Identity` is what `authorize` finds out about who makes a request. */
export interface HttpServerOptions<Identity = undefined> extends HttpServerLimits {
  /**
   * Says who makes a request, or refuses it: a `Response` is sent as it is, such as one of status 401, and `false` is
   * answered with 403. Anything else lets it in, also `undefined`. Called for every request and every WebSocket, before
   * anything else is looked at, except for the origin. What it throws is answered with 500. Default: everybody may use the server, and `identity` is `undefined`. Write it before `agent`, so that the
   * type of `identity` is known there.
   */
  readonly authorize?: ((request: Request) => Awaitable<Identity | Response>) | undefined;
  /**
   * The agent that serves a connection, or what chooses it when a client calls `initialize` or opens a WebSocket. What it
   * throws is answered with 500, and a diagnostic tells.
   */
  readonly agent: AgentDefinition | ((request: Request, identity: Identity) => Awaitable<AgentDefinition>);
  /**
   * The origins whose pages may use the server, such as `https://editor.example`. Requests from any other page are answered
   * with 403, so that no web site can use an agent on the machine of who visits it. Programs send no origin, and may.
   * Default: no page may.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Replaces the agents' own listeners, and is told when an agent could not be made. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** Serves agents over HTTP and WebSockets. It does not listen by itself: requests are given to it. */
export interface HttpServer {
  /** Connections that are open now, over HTTP and WebSockets. */
  readonly connections: number;
  /**
   * Answers a request to the endpoint. Never rejects. `signal` aborts when nobody waits for the answer any more. Default:
   * that of the request.
   */
  handle(request: Request, options?: { readonly signal?: AbortSignal | undefined }): Promise<Response>;
  /**
   * Prepares the upgrade of a request to a WebSocket: what its connection will be, or the answer that refuses it. The
   * runtime's package has handlers that use it.
   */
  upgrade(request: Request): Promise<WebSocketUpgrade | Response>;
  /** Ends all connections, as `close()` of each agent's connection does. After that, there are no new ones: 503. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A WebSocket that may be accepted. It counts as a connection: call one of its methods, and only one. */
export interface WebSocketUpgrade {
  /** The headers of the answer of status 101: `Acp-Connection-Id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Connects the agent with the server's end of the socket. */
  accept(socket: WebSocketLike): void;
  /** There will be no socket: the upgrade has failed. */
  discard(): void;
}

/**
 * Serves agents to remote clients: Streamable HTTP, which is a draft of the protocol, and WebSockets. It takes web-standard
 * requests, as `Deno.serve`, `Bun.serve`, Hono and edge workers have them; `@acp/node/http` brings those of Node.js.
 *
 * Each `initialize` opens a connection, with a random UUID as its id. Whoever knows the id can use the connection, so serve
 * over TLS, or on the local machine only, and say with `authorize` who may. The states of all connections are in this
 * process: behind a load balancer, clients have to come back to the same one (they keep cookies for that).
 *
 * @example
 * ```ts
 * const server = createHttpServer({ agent });
 * Deno.serve({ port: 8080 }, (request) => server.handle(request));
 * ```
 *
 * @throws {UsageError} without an agent, or for limits or origins that are none.
 */
export function createHttpServer<Identity = undefined>(options: HttpServerOptions<Identity>): HttpServer {
  if (options?.agent == null) throw new UsageError("A server needs an agent: createHttpServer({ agent })");
  const limits = limitsFrom(options);
  const origins = createOrigins(options.allowedOrigins ?? []);
  const connections = createConnections(options, limits);
  const endpoint = createHttpEndpoint(connections, limits);
  const upgrades = createUpgrades(connections, limits);

  /** Runs `answer` for a request that may be made. */
  async function admit<T>(
    request: Request,
    answer: (identity: Identity) => Awaitable<T | Response>,
  ): Promise<T | Response> {
    const refused = origins.refuse(request);
    if (refused !== undefined) return refused;
    try {
      const identity = await options.authorize?.(request);
      // Whoever returns it means no: as an identity, it would let everybody in.
      if (identity === false) return refusal(403, "You may not use this server");
      if (isResponse(identity)) return refusedBy(identity);
      return await answer(identity as Identity);
    } catch (error) {
      return connections.failed(error);
    }
  }

  const handle: HttpServer["handle"] = async (request, given) => {
    if (request.method === "OPTIONS") return origins.refuse(request) ?? origins.preflight(request);
    const answer = await admit(request, (identity) => endpoint(request, identity, given?.signal));
    return origins.refuse(request) === undefined ? origins.expose(request, answer) : answer;
  };

  return {
    get connections() {
      return connections.size;
    },
    handle,
    upgrade: (request) => admit(request, (identity) => upgrades(request, identity)),
    close: () => connections.close(),
    [Symbol.asyncDispose]: () => connections.close(),
  };
}

/** Also one of another implementation, such as that of the package `undici`: taken as an identity, it would let in. */
function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === "[object Response]";
}

/** What `authorize` refuses with. */
function refusedBy(response: Response): Response {
  const { body, bodyUsed, status, headers } = response;
  if (bodyUsed || body?.locked === true)
    throw new UsageError("authorize returned a Response that was sent before: make a new one for each request");
  return response instanceof Response ? response : new Response(body, { status, headers });
}
