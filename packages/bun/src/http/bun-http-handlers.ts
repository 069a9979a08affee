import type { HttpServer, WebSocketUpgrade } from "@acp/http";

import { BunSocket, type ServerSocket } from "./bun-socket.ts";

/** What a socket of the server carries: its connection, and its events once it is open. */
interface SocketData {
  readonly upgrade: WebSocketUpgrade;
  socket?: BunSocket;
}

/** What is needed of a `ServerWebSocket` of Bun. */
interface SocketWithData extends ServerSocket {
  readonly data: SocketData;
}

/** What is needed of a `Server` of Bun. Written out here, so that these types need none of Bun's. */
interface Listener {
  upgrade(request: Request, options: { headers: Record<string, string>; data: SocketData }): boolean;
}

/** What `Bun.serve` needs to serve a server of `@acp/http`. */
export interface BunHttpHandlers {
  /** Answers a request, or upgrades it: then there is no answer. */
  fetch(request: Request, listener: Listener): Promise<Response | undefined>;
  /** The events of the sockets, when Bun pings them, and the largest message that it takes. */
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

/** By itself, Bun takes and holds 16 MiB. The limit of a message is the server's `maxMessageBytes`. In bytes. */
const maxPayloadLength = 256 * 1024 * 1024;

/**
 * After how many seconds without a word from its client a socket is ended. Bun pings it 16 seconds before that. By itself it
 * does so after 104 seconds, and proxies end what is idle for a minute, as an agent that thinks is.
 */
const idleTimeout = 60;

/**
 * Handlers for `Bun.serve`: requests over HTTP, and WebSockets at the same path. They answer every request that they are
 * given, whatever its path. Streams are idle now and then: Bun must not end them.
 *
 * ```ts
 * const server = createHttpServer({ agent });
 * Bun.serve({ port: 8080, hostname: "127.0.0.1", idleTimeout: 0, ...bunHttpHandlers(server) });
 * ```
 */
export function bunHttpHandlers(server: HttpServer): BunHttpHandlers {
  return {
    async fetch(request, listener) {
      if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") return await server.handle(request);
      const upgrade = await server.upgrade(request);
      if (upgrade instanceof Response) return upgrade;
      if (listener.upgrade(request, { headers: { ...upgrade.headers }, data: { upgrade } })) return undefined;
      upgrade.discard();
      return new Response("The request cannot be upgraded to a WebSocket", { status: 400 });
    },
    websocket: {
      idleTimeout,
      maxPayloadLength,
      // Beyond it Bun would drop messages without a word. An agent that awaits what it sends does not get there.
      backpressureLimit: maxPayloadLength,
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
