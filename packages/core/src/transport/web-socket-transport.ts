import { UsageError } from "../base/errors.ts";
import { checkLimit } from "../base/timers.ts";
import { createTextTransport } from "./text-transport.ts";
import type { TextTransportOptions } from "./transport-options.ts";
import type { Transport } from "./transport.ts";
import { ReconnectingChannel } from "./web-socket/reconnecting-channel.ts";
import { WebSocketChannel, type WebSocketLike } from "./web-socket/web-socket-channel.ts";

/** Options of {@link createWebSocketTransport}. */
export interface WebSocketTransportOptions extends TextTransportOptions {
  /**
   * Opens a WebSocket, with headers that it needs, or by a package such as `ws`. Only for a URL, and called again whenever the
   * network has failed. Default: `(url) => new WebSocket(url)`.
   */
  readonly open?: ((url: string) => WebSocketLike) | undefined;
  /**
   * How long to try to reach the server again after a WebSocket has broken, in milliseconds; then the connection ends. Only for
   * a URL. 0 never does. Default: 30,000.
   */
  readonly resumeTimeout?: number | undefined;
}

/**
 * Creates a transport over a WebSocket, for a client or an agent on either side of it (TRAN-14).
 *
 * On the wire (TRAN-16): each message is one text frame that holds its JSON, without a line end. The client of the protocol
 * sends `initialize` first, whichever side opened the socket. Binary frames are ignored with a diagnostic. Close codes
 * 1000, 1001 and 1005 are an orderly end; any other ends the connection with an error that names code and reason.
 *
 * Create the transport as soon as you have the socket: earlier messages are lost. The socket may still be connecting; messages
 * sent until it opens are queued. `send` returns a promise while more than 256 KiB are buffered in the socket. A WebSocket
 * cannot be asked to stop receiving: a side that is behind queues what it receives.
 *
 * A socket of the package `ws` is pinged every 15 seconds, and the connection ends with an error when nothing was received for
 * two minutes: a network may go silently. Other sockets cannot be pinged, and servers on this machine are not: they may block
 * in a debugger.
 *
 * With a URL the connection outlives its socket, if the server is one of `@acp/http`: when the network breaks, the client opens
 * another one for `resumeTimeout`, and both sides go on where they were. Nothing is lost, and nothing comes twice. The query of
 * the URL gets `acp-resume`, which other servers ignore; with them, and with a socket, the connection ends with its socket.
 *
 * `close` lets the socket send what it has, and closes it with code 1000. It resolves when the socket is closed, or after
 * 5 seconds. A socket that is not open yet is given up, and so are the messages queued for it.
 *
 * @example
 * ```ts
 * const agent = await client.connect(createWebSocketTransport("ws://localhost:8080"));
 * ```
 *
 * @throws {UsageError} for anything but a URL of a WebSocket or a socket, or where `open` is needed and missing.
 */
export function createWebSocketTransport(
  target: WebSocketLike | string | URL,
  options?: WebSocketTransportOptions,
): Transport {
  if (!(typeof target === "string" || target instanceof URL))
    return createTextTransport(new WebSocketChannel(target), options);
  const { open = openWebSocket, resumeTimeout = defaultResumeTimeout } = options ?? {};
  checkLimit("resumeTimeout", resumeTimeout);
  const url = parseUrl(target);
  const channel = resumeTimeout === 0 ? new WebSocketChannel(open(url.href)) : undefined;
  return createTextTransport(channel ?? new ReconnectingChannel(url, open, resumeTimeout), options);
}

const defaultResumeTimeout = 30_000;

function openWebSocket(url: string): WebSocketLike {
  if (typeof WebSocket === "function") return new WebSocket(url);
  throw new UsageError("There is no WebSocket here: pass `open: (url) => new WebSocket(url)` with one of a package");
}

function parseUrl(url: string | URL): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^(?:ws|http)s?:$/.test(parsed.protocol)) return parsed;
  throw new UsageError(`${String(url)} is no URL of a WebSocket; expected ws://… or wss://…, with host and path`);
}
