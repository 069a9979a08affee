import { createDeferred, type Deferred } from "../base/promises.ts";
import { readMember } from "../base/values.ts";
import { canPing, Heartbeat, isLoopback } from "./heartbeat.ts";
import { sendHighWaterMark } from "./send-limits.ts";
import { createTextTransport, type TextChannel, type TextChannelSink } from "./text-transport.ts";
import type { TransportOptions } from "./transport-options.ts";
import type { Transport } from "./transport.ts";

/**
 * What is needed of a `WebSocket`: that of a browser, of Node, Deno, Bun or an edge worker, and of
 * packages that offer the same. Not the server sockets of `Bun.serve`, which have no events to listen to.
 */
export interface WebSocketLike {
  /** 0 while it connects, 1 when it is open, 2 while it closes, 3 when it is closed. */
  readonly readyState: number;
  /** Bytes that are sent but not out yet. Where it is missing, senders never wait. */
  readonly bufferedAmount?: number;
  /** Sends a text frame. */
  send(text: string): void;
  /** Begins to close it. */
  close(code?: number, reason?: string): void;
  /** Listens to what comes in, and to its beginning and end. */
  addEventListener(type: "open" | "message" | "error" | "close", listener: (event: unknown) => void): void;
}

/**
 * A transport over a WebSocket, for a client or an agent on either side of it (TRAN-14).
 *
 * On the wire (TRAN-16): each message is one text frame that holds its JSON, without a line end. The client of the protocol
 * sends `initialize` first, whichever side opened the socket. Binary frames are ignored with a diagnostic. Close codes
 * 1000, 1001 and 1005 are an orderly end; any other ends the connection with an error that names code and reason.
 *
 * Make the transport as soon as you have the socket: what comes before that is lost. The socket may still be connecting;
 * what is sent until it opens waits. `send` returns a promise while more than 256 KiB are buffered in the socket. A
 * WebSocket cannot be asked to stop receiving: a side that is behind keeps what comes in.
 *
 * A socket of the package `ws` is pinged every 15 seconds, and the connection ends with an error when nothing has come for
 * two minutes: a network may go without a word. Others cannot be pinged. Nor are servers on this machine, which may stand
 * still in a debugger.
 *
 * `close` lets the socket send what it has, and closes it with code 1000. It resolves when the socket is closed, or after
 * 5 seconds. A socket that is not open yet is given up, and so is what waits to be sent.
 *
 * @example
 * ```ts
 * const agent = await client.connect(createWebSocketTransport(new WebSocket("ws://localhost:8080")));
 * ```
 */
export function createWebSocketTransport(socket: WebSocketLike, options?: TransportOptions): Transport {
  return createTextTransport(new WebSocketChannel(socket), options);
}

const connecting = 0;
const open = 1;
const closed = 3;

/** How long the other side may take to confirm the end, in milliseconds. */
const closeMilliseconds = 5000;
/** How often is looked whether the socket has room again, in milliseconds: often at first, then less. */
const shortestLook = 1;
const longestLook = 50;
/** Normal, the page or server goes away, no code given (RFC 6455, section 7.4.1). */
const orderlyCodes: readonly number[] = [1000, 1001, 1005];

class WebSocketChannel implements TextChannel {
  readonly #socket: WebSocketLike;
  readonly #closed: Deferred = createDeferred();
  /** What was sent before the socket was open. */
  #early: string[] = [];
  #failure: unknown;
  #sink: TextChannelSink | undefined;
  #look: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: Heartbeat | undefined;

  constructor(socket: WebSocketLike) {
    this.#socket = socket;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
    const socket = this.#socket;
    let wasOpen = socket.readyState !== connecting;
    if (wasOpen) this.#opened();
    socket.addEventListener("open", () => {
      wasOpen = true;
      this.#opened();
      this.#sendEarly();
    });
    socket.addEventListener("message", (event) => {
      this.#heartbeat?.came();
      receive(readMember(event, "data"), sink);
    });
    // A `close` follows, which says the rest.
    socket.addEventListener(
      "error",
      (event) => (this.#failure = readMember(event, "error") ?? readMember(event, "message")),
    );
    socket.addEventListener("close", (event) => this.#end(reasonOf(event, wasOpen, this.#failure)));
    if (socket.readyState === closed) this.#end(new Error("The WebSocket was closed before it was used"));
  }

  send(text: string): number {
    if (this.#socket.readyState === connecting) {
      this.#early.push(text);
      return 0;
    }
    this.#socket.send(text);
    const waiting = this.#socket.bufferedAmount ?? 0;
    if (waiting > sendHighWaterMark) this.#lookAgain(shortestLook);
    return waiting;
  }

  async close(): Promise<void> {
    this.#early = [];
    if (this.#socket.readyState <= open) this.#socket.close(1000);
    const patience = setTimeout(() => this.#closed.resolve(), closeMilliseconds);
    await this.#closed.promise;
    clearTimeout(patience);
    clearTimeout(this.#look);
  }

  #opened(): void {
    const socket = this.#socket;
    // That of a server's socket is unknown.
    const url = readMember(socket, "url");
    const isNear = typeof url === "string" && /^wss?:/.test(url) && isLoopback(new URL(url));
    if (isNear || !canPing(socket)) return;
    this.#heartbeat = new Heartbeat(socket, (reason) => this.#end(reason));
  }

  #sendEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const text of early) this.send(text);
  }

  /** No event tells when a socket has room again. */
  #lookAgain(milliseconds: number): void {
    if (this.#look !== undefined) return;
    this.#look = setTimeout(() => {
      this.#look = undefined;
      if ((this.#socket.bufferedAmount ?? 0) <= sendHighWaterMark) this.#sink?.room();
      else this.#lookAgain(Math.min(milliseconds * 2, longestLook));
    }, milliseconds);
  }

  #end(reason: Error | undefined): void {
    clearTimeout(this.#look);
    this.#heartbeat?.stop();
    // Edge workers leave it to their program to answer the peer's close; everywhere else the socket is closed by now.
    if (this.#socket.readyState !== closed) this.#socket.close(1000);
    this.#early = [];
    this.#closed.resolve();
    this.#sink?.closed(reason);
  }
}

function receive(data: unknown, sink: TextChannelSink): void {
  if (typeof data === "string") return sink.text(data);
  const bytes = readMember(data, "byteLength") ?? readMember(data, "size");
  sink.issue({
    code: "unexpected-bytes",
    message: "A binary frame was left out, messages are text",
    ...(typeof bytes === "number" && { bytes }),
  });
}

function reasonOf(event: unknown, wasOpen: boolean, failure: unknown): Error | undefined {
  // A connection that broke has no code of its own: 1006 in most runtimes, 0 in some.
  const given = readMember(event, "code");
  const code = typeof given === "number" && given > 0 ? given : 1006;
  if (orderlyCodes.includes(code)) return undefined;
  const reason = readMember(event, "reason");
  const said = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
  const end = wasOpen ? "was closed with" : "could not be opened:";
  return new Error(`The WebSocket ${end} code ${code}${said}`, { cause: failure });
}
