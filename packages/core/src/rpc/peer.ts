import type { CallOptions } from "./outgoing-requests.ts";
import type { MethodIndex } from "./method-index.ts";
import type { DistributiveOmit, NotificationMethod, ParamsOf, ReceivedResultOf, RequestMethod } from "./methods.ts";
import { isObject } from "../base/values.ts";

/** Options of one call. */
export interface RequestOptions {
  /**
   * Abort it to cancel the call: the call rejects at once with the signal's reason, and the peer gets
   * `$/cancel_request`.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The options of every helper that sends a message. */
export interface MetaOptions {
  /** Custom data for the `_meta` of the message (EXT-01). Default: none. */
  readonly _meta?: { readonly [key: string]: unknown } | undefined;
}

/** Picks the members that options add to a message. */
export function pickMeta(options: MetaOptions | undefined): MetaOptions | undefined {
  return options?._meta && { _meta: options._meta };
}

/** An extension method that the method map does not declare. */
type Undeclared<K extends string, M> = K extends keyof M ? never : K & `_${string}`;

// `out` here, and in everything made of peers (contexts, sessions, turns), saves the compiler from comparing all members.
/** The other side of a connection. */
export interface Peer<out M> {
  // Declared methods come last: the compiler explains an error by the last overload.
  /** Calls an extension method, whose name starts with `_` (EXT-07). Params and result are not checked. */
  request<R = unknown, K extends string = `_${string}`>(
    method: Undeclared<K, M>,
    params?: unknown,
    options?: RequestOptions,
  ): Promise<R>;
  /**
   * Calls a method and waits for the response. There is no time limit: pass a `signal` to set one. It also rejects if
   * the call cannot be sent.
   *
   * @throws {RequestError} the peer responded with an error.
   * @throws {CapabilityError} the peer did not advertise the method; nothing was sent.
   * @throws {UsageError} the params break a rule, for example with a relative path, or cannot be written as JSON;
   * nothing was sent.
   * @throws {MessageTooLargeError} the message is over the size limit; nothing was sent.
   * @throws {ProtocolError} the response breaks the protocol.
   * @throws {ConnectionClosedError} the connection ended first.
   * @throws the reason of `signal` after it aborts.
   */
  request<K extends RequestMethod<M>>(
    method: K,
    params: ParamsOf<M, K>,
    options?: RequestOptions,
  ): Promise<ReceivedResultOf<M, K>>;
  /** Sends a notification of an extension. Its name starts with `_`. */
  notify<K extends string = `_${string}`>(method: Undeclared<K, M>, params?: unknown): Promise<void>;
  /**
   * Sends a notification. The promise stays pending while the peer is slow to read: await it, so that you do not send
   * faster than the peer reads. If the message cannot be sent, it rejects like {@link request}; after the connection
   * has ended, that never counts as an unhandled rejection.
   */
  notify<K extends NotificationMethod<M>>(method: K, params: ParamsOf<M, K>): Promise<void>;
  /**
   * Waits until everything that was sent on this connection has left this process. Await it before `process.exit()`,
   * which does not wait. It stays pending while the peer does not read, and resolves if the peer is gone. Never
   * rejects.
   */
  flush(): Promise<void>;
}

type WithoutSession<P> = [P] extends [{ sessionId: string }] ? DistributiveOmit<P, "sessionId"> : P;

/** The other side, seen from one session: it adds the `sessionId` to the params. */
export interface SessionPeer<out M> {
  /** Calls an extension method; the session id is not added to its params. */
  request<R = unknown, K extends string = `_${string}`>(
    method: Undeclared<K, M>,
    params?: unknown,
    options?: RequestOptions,
  ): Promise<R>;
  /** Calls a method for this session. Throws like {@link Peer.request}. */
  request<K extends RequestMethod<M>>(
    method: K,
    params: WithoutSession<ParamsOf<M, K>>,
    options?: RequestOptions,
  ): Promise<ReceivedResultOf<M, K>>;
  /** Sends a notification of an extension; the session id is not added to its params. */
  notify<K extends string = `_${string}`>(method: Undeclared<K, M>, params?: unknown): Promise<void>;
  /** Sends a notification for this session. Waits and rejects like {@link Peer.notify}. */
  notify<K extends NotificationMethod<M>>(method: K, params: WithoutSession<ParamsOf<M, K>>): Promise<void>;
  /** Waits until everything that was sent has left this process, like {@link Peer.flush}. */
  flush(): Promise<void>;
}

/** How a peer reaches its connection. */
export interface PeerCalls {
  request(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
  flush(): Promise<void>;
}

/** Types untyped calls. The types hold because each method's own decoder reads its results. */
export function createPeer<M>(calls: PeerCalls): Peer<M> {
  return calls as Peer<M>;
}

/** The same, for one session. */
export function createSessionPeer<M>(
  calls: PeerCalls,
  methods: MethodIndex,
  session: { readonly id: string },
): SessionPeer<M> {
  const withSession = (method: string, params: unknown): unknown =>
    methods.isSessionScoped(method) && isObject(params) ? { sessionId: session.id, ...params } : params;
  const bound: PeerCalls = {
    request: (method, params, options) => calls.request(method, withSession(method, params), options),
    notify: (method, params) => calls.notify(method, withSession(method, params)),
    flush: calls.flush,
  };
  return bound as SessionPeer<M>;
}
