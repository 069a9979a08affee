import type { Request } from "@acp/schema";
import type { AgentMethods, ClientMethods, RequestId } from "@acp/schema/v2/types";
import type { Handler, ReceivedParamsOf, RequestMethod } from "../rpc/methods.ts";
import type { Peer, SessionPeer } from "../rpc/peer.ts";
import type { AgentSession, ClientDetails } from "./agent-session.ts";
import type { AgentTurn } from "./agent-turn.ts";
import type { OpeningMethod, TurnEnd } from "./protocol-types.ts";

/** What a handler gets beside its params. */
export interface AgentContext<out C = ClientMethods, out A = AgentMethods> {
  /** The client, and what it has told about itself. */
  readonly client: Peer<C> & ClientDetails<A>;
  /** Aborts when the client cancels this request with `$/cancel_request`, or is gone. */
  readonly signal: AbortSignal;
  /** The id of the request; `undefined` for a notification. */
  readonly requestId: RequestId | undefined;
}

/** The context of a handler that answers a request. */
export interface AgentRequestContext<out C = ClientMethods, out A = AgentMethods> extends AgentContext<C, A> {
  /** The id of the request as the client gave it: for what belongs to it, such as an elicitation during a login. */
  readonly requestId: RequestId;
}

/** The context of a handler whose params may name a session that is not open here. */
export interface AgentMaybeSessionContext<
  out S = undefined,
  out C = ClientMethods,
  out A = AgentMethods,
> extends AgentContext<C, A> {
  /** The session that the params name; `undefined` if it is not open here. */
  readonly session: AgentSession<S, C, A> | undefined;
}

/** The context of a handler that works on an open session. */
export interface AgentSessionContext<out S = undefined, out C = ClientMethods, out A = AgentMethods> {
  /** The client, and what it has told about itself. Calls are for this session: they need no `sessionId`. */
  readonly client: SessionPeer<C> & ClientDetails<A>;
  /** The session that the params name, or that is being opened. */
  readonly session: AgentSession<S, C, A>;
  /** Aborts when the client cancels this request with `$/cancel_request`, or is gone. */
  readonly signal: AbortSignal;
  /** The id of the request; see {@link AgentRequestContext}. */
  readonly requestId: RequestId;
}

/**
 * The context of the prompt handler. Its `signal` is that of the turn.
 *
 * Calls of its `client` belong to the turn: they are given up when it is cancelled, and a question to the user makes the
 * session `requires_action` until it is answered. For a call that shall outlive the turn use `session.client`.
 */
export interface AgentTurnContext<out S = undefined, out C = ClientMethods, out A = AgentMethods> extends Omit<
  AgentSessionContext<S, C, A>,
  "requestId"
> {
  /** The turn: what to say to the client while it runs. */
  readonly turn: AgentTurn<C>;
  /** The id of the prompt; `undefined` in a turn that no prompt asked for. */
  readonly requestId: RequestId | undefined;
}

/** Methods that need an open session. */
type SessionMethod = "session/prompt" | "session/set_config_option" | "tool_call/cancel" | "terminal/cancel";

type AgentContextOf<K, P, S, C, A> = K extends "session/prompt"
  ? AgentTurnContext<S, C, A>
  : K extends SessionMethod | OpeningMethod | "session/close"
    ? AgentSessionContext<S, C, A>
    : ([P] extends [{ sessionId: string }] ? AgentMaybeSessionContext<S, C, A> : AgentContext<C, A>) &
        (K extends RequestMethod<A> ? AgentRequestContext<C, A> : unknown);

/**
 * An agent's methods as its handlers answer them. The prompt handler returns how its turn has ended: the answer on the
 * wire only says that the prompt was accepted, and is not the handler's to give.
 */
export type HandledMethods<A, C> = {
  [K in keyof A as Exclude<K, "initialize">]: K extends "session/prompt"
    ? Request<never, TurnEnd<C>, ReceivedParamsOf<A, K>, never>
    : A[K];
};

/**
 * An agent's handlers, keyed by wire method. Each gets the decoded params and a context; what it returns is the result,
 * but for `session/prompt`: see {@link TurnEnd}. There is none for `initialize`: it is answered from the options.
 */
export type AgentHandlers<A = AgentMethods, C = ClientMethods, S = undefined> = {
  [K in keyof HandledMethods<A, C>]?:
    | Handler<HandledMethods<A, C>, K, AgentContextOf<K, ReceivedParamsOf<A, K & keyof A>, S, C, A>>
    | undefined;
};
