import { UsageError } from "../base/errors.ts";
import { requireObject } from "../base/require-argument.ts";
import { checkLimit } from "../base/timers.ts";
import { createTextTransport } from "./text-transport.ts";
import type { TextTransportOptions } from "./transport-options.ts";
import type { Transport } from "./transport.ts";
import { ReconnectingChannel } from "./web-socket/reconnecting-channel.ts";
import { WebSocketChannel, type WebSocketLike } from "./web-socket/web-socket-channel.ts";

/** Options of {@link createWebSocketTransport}. */
export interface WebSocketTransportOptions extends TextTransportOptions {
  /**
   * Opens a WebSocket, for example with headers, or with a package such as `ws`. Only used with a URL, and called again
   * whenever the network fails. Default: `(url) => new WebSocket(url)`.
   */
  readonly open?: ((url: string) => WebSocketLike) | undefined;
  /**
   * How long to try to reach the server again after a WebSocket breaks, in milliseconds. Then the connection ends. Only
   * used with a URL. `0` means never. Default: 30,000.
   */
  readonly resumeTimeout?: number | undefined;
}

/**
 * Creates a transport over a WebSocket, for a client or an agent on either side (TRAN-14).
 *
 * On the wire (TRAN-16), each message is one text frame with its JSON, without a line break. The ACP client sends
 * `initialize` first, whichever side opened the socket. Binary frames are ignored with a diagnostic. Close codes 1000,
 * 1001 and 1005 are an orderly end; any other ends the connection with an error that names the code and the reason.
 *
 * Create the transport as soon as you have the socket: earlier messages are lost. The socket may still be connecting;
 * messages are queued until it opens. `send` returns a promise while more than 256 KiB are buffered in the socket. A
 * WebSocket cannot be asked to stop receiving: a slow side queues what it receives.
 *
 * Sockets of the package `ws` are pinged every 15 seconds, and the connection ends with an error if nothing is received
 * for two minutes, because a network may fail silently. Other sockets cannot be pinged. Servers on this machine are not
 * pinged, because they may be stopped in a debugger.
 *
 * With a URL, and a server of `@acp/http`, the connection outlives its socket: if the network breaks, the client tries
 * to open another socket for `resumeTimeout`, and both sides continue where they were. Nothing is lost, and nothing
 * arrives twice. The query of the URL gets `acp-resume`, which other servers ignore. With other servers, or if you pass
 * a socket, the connection ends with its socket.
 *
 * `close` lets the socket send what it has buffered, and closes it with code 1000. It resolves when the socket is
 * closed, or after 5 seconds. If the socket is not open yet, the socket and the queued messages are discarded.
 *
 * @example
 * ```ts
 * const agent = await client.connect(createWebSocketTransport("ws://localhost:8080"));
 * ```
 *
 * @throws {UsageError} if the argument is neither a WebSocket URL nor a socket, or `open` is required and missing.
 */
export function createWebSocketTransport(
  target: WebSocketLike | string | URL,
  options?: WebSocketTransportOptions,
): Transport {
  if (!(typeof target === "string" || target instanceof URL)) {
    requireObject(target, "createWebSocketTransport() takes a URL or a WebSocket", "addEventListener", "send", "close");
    return createTextTransport(new WebSocketChannel(target), options);
  }
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
