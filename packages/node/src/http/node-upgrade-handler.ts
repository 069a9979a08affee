import { EventEmitter } from "node:events";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

import type { WebSocketLike } from "@acp/core";
import type { HttpServer } from "@acp/http";

import { requireNode } from "../runtime/require-node.ts";
import { webRequest } from "./web-request.ts";
import { answerWithoutUpgrade } from "./without-upgrade.ts";
import { requireObject } from "@acp/core/internal";

/** The part of a `WebSocketServer` that is used. Create it with `noServer: true`; the class is in the package `ws`. */
export interface WebSocketServerLike {
  /** Responds to the upgrade, and passes on the socket. */
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    accepted: (socket: WebSocketLike) => void,
  ): void;
  /** Listens to the headers before they are sent, and may add some. */
  on(event: "headers", listener: (headers: string[], request: IncomingMessage) => void): unknown;
}

/**
 * Creates a listener for the `upgrade` event of a Node.js server. It connects each WebSocket to an agent. `sockets` is
 * a `WebSocketServer` from the package `ws`, which you configure. Set its `maxPayload` (default 100 MiB per socket) to
 * twice the server's `maxMessageBytes`: the server then rejects messages that are slightly over its limit with an
 * error, and `ws` ends the socket for larger ones. Requests for other upgrades are handled like ordinary requests.
 *
 * ```ts
 * import { WebSocketServer } from "ws";
 *
 * const sockets = new WebSocketServer({ noServer: true, maxPayload: 2 * server.maxMessageBytes });
 * listener.on("upgrade", nodeUpgradeHandler(server, sockets));
 * ```
 */
export function nodeUpgradeHandler(
  server: HttpServer,
  sockets: WebSocketServerLike,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  requireNode();
  requireObject(server, "nodeUpgradeHandler() takes what createHttpServer() returns first", "upgrade");
  requireObject(sockets, "nodeUpgradeHandler() takes a WebSocketServer second", "on", "handleUpgrade");
  /** The headers for each request that is being upgraded. */
  const added = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();
  sockets.on("headers", (headers, request) => {
    for (const [name, value] of Object.entries(added.get(request) ?? {})) headers.push(`${name}: ${value}`);
  });

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gone = new AbortController();
    const prepared = await server.upgrade(webRequest(request, gone.signal));
    if (prepared instanceof Response) return refuse(socket, prepared);
    if (socket.destroyed) return prepared.discard();
    // If it is no handshake, `ws` answers and ends the socket.
    socket.once("close", () => prepared.discard());
    added.set(request, prepared.headers);
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      prepared.accept(accepted, (listener) => socket.on("data", (chunk: Uint8Array) => listener(chunk.byteLength))),
    );
  }

  return function (this: unknown, request, socket, head) {
    const isForSocket = request.headers.upgrade?.toLowerCase() === "websocket";
    if (!isForSocket && this instanceof EventEmitter) return answerWithoutUpgrade(this, request, socket, head);
    socket.on("error", () => {});
    upgrade(request, socket, head).catch(() => socket.destroy());
  };
}

async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`];
  response.headers.set("connection", "close");
  response.headers.set("content-length", String(Buffer.byteLength(body)));
  for (const [name, value] of response.headers) head.push(`${name}: ${value}`);
  // The server's sockets may be half open, and the client need not end its half.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
