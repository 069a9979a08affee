import {
  type AgentDefinition,
  type Awaitable,
  type DiagnosticListener,
  UsageError,
  type WebSocketLike,
} from "@acp/core";
import { checkLimit } from "@acp/core/internal";

/**
 * The limits of a server. A request over one of them is answered with an error that names it, the diagnostic `refused` reports
 * the same, and everything else continues.
 */
export interface HttpServerLimits {
  /** Connections at a time; one more is answered with 503. Default: 1,000. */
  readonly maxConnections?: number | undefined;
  /** Largest message in either direction, in bytes of UTF-8; a larger one is answered with 413. Default: 16 MiB (16,777,216). */
  readonly maxMessageBytes?: number | undefined;
  /**
   * How deep objects and arrays may nest in a message above 1 Mi (1,048,576) UTF-16 code units: it is checked before it is
   * parsed. A deeper one is answered with 413, over a WebSocket with `-32600`. Default: 1,000.
   */
  readonly maxMessageDepth?: number | undefined;
  /**
   * How many values such a message may have, by its brackets and commas: a message of nothing else would block the server
   * for seconds. One with more is answered in the same way. Default: 1,000,000.
   */
  readonly maxMessageValues?: number | undefined;
  /** How long a body may take to arrive, in milliseconds; then the answer is 408. `Infinity` for ever. Default: 120,000. */
  readonly bodyTimeout?: number | undefined;
  /**
   * How much all clients together may have sent that no agent has taken yet, in bytes: bodies that arrive, and messages that
   * wait. Beyond it, the largest body that arrives is answered with 503, and the WebSocket with the most is closed. Only Node.js
   * tells how much of a WebSocket's unfinished message has arrived; elsewhere, `maxConnections` bounds these. Default: 256 MiB
   * (268,435,456).
   */
  readonly maxTotalReceivedBytes?: number | undefined;
  /**
   * How much of one connection may be queued in each direction, in UTF-16 code units, over a WebSocket in bytes: for a client
   * that does not read, and for an agent that is behind. More from the client is answered with 503, over a WebSocket by the
   * end of the connection. More from the agent ends the connection, unless it is a single message; an agent that awaits its
   * messages never gets there. Default: 64 Mi (67,108,864).
   */
  readonly maxBufferedUnits?: number | undefined;
  /**
   * How much of all connections together may be queued for their clients, in the same units. Beyond it, the connection with
   * the most ends. Default: 256 Mi (268,435,456).
   */
  readonly maxTotalBufferedUnits?: number | undefined;
  /** Streams of sessions that one connection may have open; one more is answered with 429. Not for WebSockets. Default: 2,000. */
  readonly maxStreams?: number | undefined;
  /**
   * How many of these may be of sessions that the agent has not opened: a client opens a stream before it loads the session.
   * One more is answered with 429. Default: 100.
   */
  readonly maxUnopenedStreams?: number | undefined;
  /**
   * How much of each stream may be kept until the client acknowledges it, in UTF-16 code units, so that a stream that breaks off
   * continues without a loss. The stream waits for the client beyond it. Kept events count for `maxBufferedUnits`, too. Only for
   * clients of this toolkit. Default: 4 Mi (4,194,304).
   */
  readonly maxJournalUnits?: number | undefined;
  /**
   * How long a connection over a WebSocket that has broken waits for its client to come back, in milliseconds; then it ends. Only
   * for clients of this toolkit. 0 ends it at once. Default: 60,000.
   */
  readonly resumeTimeout?: number | undefined;
  /**
   * How long a connection may have no request and no stream, and how long `initialize` may take, in milliseconds; then the
   * connection ends. A WebSocket may be idle for as long as it likes once it has sent a message. `Infinity` for ever.
   * Default: 300,000, which is 5 minutes.
   */
  readonly idleTimeout?: number | undefined;
  /**
   * How long a client may read nothing of its queue, in milliseconds, once that is longer than agents may fill it (256 Ki
   * UTF-16 code units); then its connection ends. `Infinity` for ever. Not for WebSockets. Default: 60,000.
   */
  readonly stallTimeout?: number | undefined;
}

/**
 * Options of {@link createHttpServer}. `Identity` is the result of `authorize` for the sender of a request: an object, or
 * `true`, which it is for everybody without `authorize`.
 */
export interface HttpServerOptions<Identity extends object | true = true> extends HttpServerLimits {
  /**
   * Identifies the sender of a request. An object or `true` is the identity, and admits the sender; a `Response` is sent as it
   * is, such as one that asks for a login. Everything else refuses with 401: `undefined` and `null`, so that a look-up of
   * nobody admits nobody, `false`, and also a string, a number, an array, a function or an `Error`. If it throws, the answer
   * is 500, and a diagnostic has the error.
   *
   * The identity that opens a connection owns it: requests of another one are answered with 404, as if there were no such
   * connection. See `sameIdentity`.
   *
   * Called for every request and every WebSocket, right after the check of the origin and before a body is read. A stream or
   * WebSocket that is open is not checked again. Default: admits everybody as `true`. Write it before `agent`, so that the
   * compiler infers the type of `identity`.
   */
  readonly authorize?: ((request: Request) => Awaitable<Identity | Response | false | null | undefined>) | undefined;
  /**
   * Returns `true` if a request comes from the identity that opened its connection. Default: the same object,
   * or plain data (objects, arrays, dates and primitive values) with the same content. Objects of a class are the same only
   * by reference. Set it if `authorize` makes objects of a class for each request, or data that changes from one to the next,
   * as the expiry of a token does: `sameIdentity: (owner, sender) => owner.userId === sender.userId`.
   */
  readonly sameIdentity?: ((owner: Identity, sender: Identity) => boolean) | undefined;
  /**
   * The agent for each connection, or a function that chooses it when a client calls `initialize` or opens a WebSocket.
   * `identity` is that of the client: the handlers of an agent that is made here can use it. If the function throws, the
   * answer is 500, and a diagnostic has the error. An error with `expose: true` and a `status` from 400 to 599 is answered with
   * this status and its message.
   */
  readonly agent: AgentDefinition | ((request: Request, identity: Identity) => Awaitable<AgentDefinition>);
  /**
   * The origins whose pages may use the server, such as `https://editor.example`. Requests of other pages are answered with
   * 403, so that no web site can use an agent on a visitor's machine. Programs send no origin, and are not affected.
   * Default: none.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Replaces the agents' own listeners, and receives the errors of `agent`, `authorize` and `sameIdentity`, and `refused`
   * with details that clients do not receive.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** A WebSocket that may be accepted. It counts as a connection: call exactly one of its methods. */
export interface WebSocketUpgrade {
  /** The headers of the answer of status 101: `Acp-Connection-Id`. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Connects the agent with the server's end of the socket. If the runtime reports bytes before a message is whole,
   * `onBytes` calls its listener with the number of bytes: then messages that never end count for `maxTotalReceivedBytes`.
   */
  accept(socket: WebSocketLike, onBytes?: (listener: (bytes: number) => void) => void): void;
  /** The upgrade has failed: there is no socket. */
  discard(): void;
}

/** The limits, each with its default. */
export type Limits = { readonly [Name in keyof HttpServerLimits]-?: number };

const mebi = 1024 * 1024;

const defaults: Limits = {
  maxConnections: 1000,
  maxMessageBytes: 16 * mebi,
  maxMessageDepth: 1000,
  maxMessageValues: 1_000_000,
  bodyTimeout: 120_000,
  maxTotalReceivedBytes: 256 * mebi,
  maxBufferedUnits: 64 * mebi,
  maxJournalUnits: 4 * mebi,
  maxTotalBufferedUnits: 256 * mebi,
  maxStreams: 2000,
  maxUnopenedStreams: 100,
  resumeTimeout: 60_000,
  idleTimeout: 300_000,
  stallTimeout: 60_000,
};

/** @throws {UsageError} for an invalid limit. */
export function limitsFrom(options: HttpServerLimits): Limits {
  const limits: { -readonly [Name in keyof Limits]: number } = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Limits)[]) {
    const limit = options[name] ?? defaults[name];
    if (name.endsWith("Timeout")) checkLimit(name, limit);
    else if (!(typeof limit === "number" && limit >= 1))
      throw new UsageError(`${name} is ${String(limit)}; expected a number from 1 on`);
    limits[name] = limit;
  }
  return limits;
}
