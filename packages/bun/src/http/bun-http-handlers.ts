import type { HttpServer, WebSocketUpgrade } from "@acp/http";

import { BunSocket, type ServerSocket } from "./bun-socket.ts";
import { requireObject } from "@acp/core/internal";

/** The data of a socket: its connection, and its events once it is open. */
interface SocketData {
  readonly upgrade: WebSocketUpgrade;
  socket?: BunSocket;
}

/** The part of a `ServerWebSocket` of Bun that is used. */
interface SocketWithData extends ServerSocket {
  readonly data: SocketData;
}

/** The part of a `Server` of Bun that is used. Written out, so that these types need none of Bun's. */
interface Listener {
  upgrade(request: Request, options: { headers: Record<string, string>; data: SocketData }): boolean;
  /** Ends the connection of a request after so many idle seconds; 0 never does. */
  timeout(request: Request, seconds: number): void;
}

/** The options with which `Bun.serve` serves a server of `@acp/http`. */
export interface BunHttpHandlers {
  /** Answers a request, or upgrades it: then there is no answer. */
  fetch(request: Request, listener: Listener): Promise<Response | undefined>;
  /** The events of the sockets, the interval of pings, and the largest message. */
  readonly websocket: {
    readonly idleTimeout: number;
    readonly maxPayloadLength: number;
    readonly backpressureLimit: number;
    readonly closeOnBackpressureLimit: boolean;
    open(socket: SocketWithData): void;
    message(socket: SocketWithData, data: unknown): void;
    close(socket: SocketWithData, code: number, reason: string): void;
  };
}

/**
 * How much of a WebSocket may wait to be sent, in bytes: Bun's default of 16 MiB would end it sooner than the server's
 * `maxBufferedUnits`.
 */
const backpressureLimit = 256 * 1024 * 1024;

/** The largest message that Bun takes, in bytes. The server answers one over its limit; Bun ends the socket. */
function maxPayloadLength({ maxMessageBytes }: HttpServer): number {
  return Math.min(2 * maxMessageBytes, 0x7fffffff);
}

/**
 * After how many silent seconds a socket is ended. Bun pings it 16 seconds before that. By default it does so after 104
 * seconds, but proxies end connections that are idle for a minute, as that of a thinking agent is.
 */
const idleTimeout = 60;

/**
 * Creates handlers for `Bun.serve`: requests over HTTP, and WebSockets at the same path. They answer every request that
 * they get, whatever its path. The `idleTimeout` of `Bun.serve` does not apply to them: an agent may think for longer than
 * ten seconds, and its streams are idle meanwhile.
 *
 * ```ts
 * const server = createHttpServer({ agent });
 * Bun.serve({ port: 8080, hostname: "127.0.0.1", ...bunHttpHandlers(server) });
 * ```
 */
export function bunHttpHandlers(server: HttpServer): BunHttpHandlers {
  requireObject(server, "bunHttpHandlers() takes what createHttpServer() returns", "handle", "upgrade");
  return {
    async fetch(request, listener) {
      if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
        listener.timeout(request, 0);
        return await server.handle(request);
      }
      const upgrade = await server.upgrade(request);
      if (upgrade instanceof Response) return upgrade;
      if (listener.upgrade(request, { headers: { ...upgrade.headers }, data: { upgrade } })) return undefined;
      upgrade.discard();
      return new Response("The request cannot be upgraded to a WebSocket", { status: 400 });
    },
    websocket: {
      idleTimeout,
      maxPayloadLength: maxPayloadLength(server),
      // Beyond it Bun would silently drop messages. An agent that awaits what it sends does not get there.
      backpressureLimit,
      closeOnBackpressureLimit: true,
      open(socket) {
        socket.data.socket = new BunSocket(socket);
        socket.data.upgrade.accept(socket.data.socket);
      },
      message(socket, data) {
        socket.data.socket?.emit("message", { data });
      },
      close(socket, code, reason) {
        socket.data.socket?.emit("close", { code, reason });
      },
    },
  };
}
