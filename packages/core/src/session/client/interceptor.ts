import type {
  Answer,
  ParamsOf,
  ReceivedParamsOf,
  ReceivedResultOf,
  RequestMethod,
  ResultOf,
} from "../../rpc/methods.ts";

/** A request in either direction, as an interceptor sees it. `Next` are the params of `next`, `Result` is its result. */
export interface Intercepted<out Method extends string, out Params, in Next, out Result, out Session> {
  readonly method: Method;
  readonly params: Params;
  /** The session that the params name; `undefined` if it is not open, even while a call opens it. */
  readonly session: Session | undefined;
  /**
   * Of a call: aborts when the caller cancels, the turn of a prompt is cancelled, the session ends, or the connection
   * ends. Of a request of the agent: the signal of its handler.
   */
  readonly signal: AbortSignal;
  /** Continues: with the next interceptor, then with the agent or the handler. Other params replace the given ones. */
  readonly next: (params?: Next) => Promise<Result>;
}

/** The methods that the protocol does not declare, unless it was extended: then only declared ones are typed. */
type ExtensionOf<M> = Extract<keyof M, `_${string}`> extends never ? `_${string}` : never;

/** A call of the client. Compare `method` to narrow the types of `params` and `next`. */
export type InterceptedCallOf<A, Session> =
  | {
      [K in Exclude<RequestMethod<A>, "initialize">]: Intercepted<
        K,
        ParamsOf<A, K>,
        ParamsOf<A, K>,
        ReceivedResultOf<A, K>,
        Session
      >;
    }[Exclude<RequestMethod<A>, "initialize">]
  | Intercepted<ExtensionOf<A>, unknown, unknown, unknown, Session>;

/** A request of the agent. Compare `method` to narrow the types of `params` and `next`. */
export type InterceptedRequestOf<C, Session> =
  | {
      [K in RequestMethod<C>]: Intercepted<
        K,
        ReceivedParamsOf<C, K>,
        ReceivedParamsOf<C, K>,
        Answer<ResultOf<C, K>>,
        Session
      >;
    }[RequestMethod<C>]
  | Intercepted<ExtensionOf<C>, unknown, unknown, unknown, Session>;

/**
 * Code around the calls of a client, and around its handlers. Several interceptors run in the order of the list, the
 * first outermost. Their errors go to the caller, or become the error answer.
 */
export interface InterceptorOf<A, C, Session> {
  /**
   * Around each call of the client, except `initialize`. Returns the result for the caller: usually that of
   * `next`. Each `next` checks the params and sends the call.
   *
   * You may call `next` again, to repeat a call that failed. A prompt that the agent accepted or works on cannot be
   * repeated: `next` then rejects with a `UsageError`. A call that opens a session needs `next`, and so does a prompt
   * of version 2; other calls may be answered without it. `next` cannot change the `sessionId`.
   */
  call?(call: InterceptedCallOf<A, Session>): Promise<unknown>;
  /**
   * Around the handler of each request of the agent, after its checks. Returns the answer, which is checked like the
   * handler's. Questions that are cancelled already do not get here.
   */
  handle?(request: InterceptedRequestOf<C, Session>): Promise<unknown>;
}

/** An interceptor of any version. Its types were checked where it was given. */
export interface UntypedInterceptor {
  call?(call: never): Promise<unknown>;
  handle?(request: never): Promise<unknown>;
}
