import { createDeferred, type Deferred } from "../../base/promises.ts";
import { readMember } from "../../base/values.ts";
import { canPing, Heartbeat, isLoopback } from "../heartbeat.ts";
import { sendHighWaterMark } from "../send-limits.ts";
import type { TextChannel, TextChannelSink } from "../text-transport.ts";

/**
 * The members that the transport uses of a `WebSocket`: of a browser, of Node, Deno, Bun or an edge worker, and of
 * packages with the same interface. Server sockets of `Bun.serve` do not work, because they have no events.
 */
export interface WebSocketLike {
  /** 0: connecting. 1: open. 2: closing. 3: closed. */
  readonly readyState: number;
  /** The number of bytes queued in the socket. Without it, senders never wait. */
  readonly bufferedAmount?: number;
  /** Sends a text frame. */
  send(text: string): void;
  /** Starts to close the socket. */
  close(code?: number, reason?: string): void;
  /** Listens to messages, and to the socket's start and end. */
  addEventListener(type: "open" | "message" | "error" | "close", listener: (event: unknown) => void): void;
}

const connecting = 0;
const open = 1;
const closed = 3;

/** How long the other side may take to confirm the end, in milliseconds. */
const closeMilliseconds = 5000;
/** How long a socket that could not be opened may take to say that it is closed, in milliseconds. */
const lastMilliseconds = 200;
/** How often the socket is checked for room, in milliseconds: often at first, then less. */
const shortestPoll = 1;
const longestPoll = 50;
/** Normal, the page or server goes away, no code given (RFC 6455, section 7.4.1). */
const orderlyCodes: readonly number[] = [1000, 1001, 1005];

/** One WebSocket. */
export class WebSocketChannel implements TextChannel {
  readonly #socket: WebSocketLike;
  readonly #closed: Deferred = createDeferred();
  /** Messages sent before the socket was open. */
  #early: string[] = [];
  #failure: unknown;
  #wasOpen = false;
  #sink: TextChannelSink | undefined;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #lastWait: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: Heartbeat | undefined;

  constructor(socket: WebSocketLike) {
    this.#socket = socket;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
    const socket = this.#socket;
    this.#wasOpen = socket.readyState !== connecting;
    if (this.#wasOpen) this.#startHeartbeat();
    socket.addEventListener("open", () => {
      this.#wasOpen = true;
      this.#startHeartbeat();
      for (const text of this.#early.splice(0)) this.send(text);
    });
    socket.addEventListener("message", (event) => {
      this.#heartbeat?.received();
      receive(readMember(event, "data"), sink);
    });
    // A `close` follows, with the rest.
    socket.addEventListener("error", (event) => {
      this.#failure = readMember(event, "error") ?? readMember(event, "message");
      // That of Node.js 22 has no `close` then.
      if (!this.#wasOpen) this.#lastWait ??= setTimeout(() => this.#end(this.#closeReason(event)), lastMilliseconds);
    });
    socket.addEventListener("close", (event) => this.#end(this.#closeReason(event)));
    if (socket.readyState === closed) this.#end(new Error("The WebSocket was closed before it was used"));
  }

  /** Whether it is open, or was. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** How much is queued in the socket, in bytes. */
  get waiting(): number {
    return this.#socket.bufferedAmount ?? 0;
  }

  send(text: string): number {
    if (this.#socket.readyState === connecting) {
      this.#early.push(text);
      return 0;
    }
    this.#socket.send(text);
    const { waiting } = this;
    if (waiting > sendHighWaterMark) this.#pollRoom(shortestPoll);
    return waiting;
  }

  async flush(): Promise<void> {
    const isQueued = (): boolean => this.#early.length > 0 || this.waiting > 0;
    while (this.#socket.readyState <= open && isQueued()) {
      await new Promise((resolve) => setTimeout(resolve, shortestPoll));
    }
  }

  async close(): Promise<void> {
    this.#early = [];
    if (this.#socket.readyState <= open) this.#socket.close(1000);
    const patience = setTimeout(() => this.#closed.resolve(), closeMilliseconds);
    await this.#closed.promise;
    clearTimeout(patience);
    clearTimeout(this.#poll);
  }

  /** Ends the socket without its other side, if it can do that. */
  terminate(): void {
    const terminate = readMember(this.#socket, "terminate");
    if (typeof terminate === "function") terminate.call(this.#socket);
    else this.#socket.close();
  }

  #startHeartbeat(): void {
    const socket = this.#socket;
    // A server's socket does not know its URL.
    const url = readMember(socket, "url");
    const isNear = typeof url === "string" && /^wss?:/.test(url) && isLoopback(new URL(url));
    if (isNear || !canPing(socket)) return;
    this.#heartbeat = new Heartbeat(socket, (reason) => this.#end(reason));
  }

  /** No event reports that a socket has room again. */
  #pollRoom(milliseconds: number): void {
    if (this.#poll !== undefined) return;
    this.#poll = setTimeout(() => {
      this.#poll = undefined;
      if (this.waiting <= sendHighWaterMark) this.#sink?.room();
      else this.#pollRoom(Math.min(milliseconds * 2, longestPoll));
    }, milliseconds);
  }

  #closeReason(event: unknown): Error | undefined {
    return closeReason(event, this.#wasOpen ? undefined : this.#socket, this.#failure);
  }

  #end(reason: Error | undefined): void {
    clearTimeout(this.#poll);
    clearTimeout(this.#lastWait);
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
    message: "Ignored a binary frame: messages are text",
    ...(typeof bytes === "number" && { bytes }),
  });
}

/** @param unopened the socket, if it has never been open. */
function closeReason(event: unknown, unopened: object | undefined, failure: unknown): Error | undefined {
  // A broken connection has no code of its own: 1006 in most runtimes, 0 in some.
  const received = readMember(event, "code");
  const code = typeof received === "number" && received > 0 ? received : 1006;
  if (orderlyCodes.includes(code)) return undefined;
  const reason = readMember(event, "reason");
  const words = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
  const end = unopened === undefined ? "was closed with" : "could not be opened:";
  const place = unopened === undefined ? "" : describePlace(readMember(unopened, "url"), failure);
  return new Error(`The WebSocket ${end} code ${code}${words}${place}`, { cause: failure });
}

/** Says where a server was looked for, without secrets that a query may have, and what is known of the cause. */
function describePlace(url: unknown, failure: unknown): string {
  if (typeof url !== "string" || !URL.canParse(url)) return "";
  const { origin, pathname } = new URL(url);
  const inner = readMember(failure, "errors");
  const error: unknown = Array.isArray(inner) ? inner[0] : failure;
  // Bun repeats the whole URL.
  const words = [error, readMember(error, "message"), readMember(error, "code")].find(
    (said) => typeof said === "string" && said !== "" && !said.includes(url),
  );
  return ` (${origin}${pathname}: ${(words as string | undefined) ?? "the server refused, or does not run"})`;
}
