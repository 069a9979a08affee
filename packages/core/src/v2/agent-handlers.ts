import type { Request } from "@acp/schema";
import type { AgentMethods, ClientMethods, RequestId } from "@acp/schema/v2/types";
import type { Handler, ReceivedParamsOf, RequestMethod } from "../rpc/methods.ts";
import type { Peer, SessionPeer } from "../rpc/peer.ts";
import type { AgentContextMembers } from "../session/agent/public-members.ts";
import type { AgentSession, ClientDetails } from "./agent-session.ts";
import type { AgentTurn } from "./agent-turn.ts";
import type { OpeningMethod, TurnEnd } from "./protocol-types.ts";

/** The second argument of a handler. */
export interface AgentContext<out C = ClientMethods, out A = AgentMethods> extends AgentContextMembers<
  Peer<C> & ClientDetails<A>,
  RequestId | undefined
> {}

/** The context of a handler that answers a request. */
export interface AgentRequestContext<out C = ClientMethods, out A = AgentMethods> extends AgentContext<C, A> {
  /**
   * The id of the request, as the client sent it. Refer to it when something belongs to this request, such as an
   * elicitation during a login.
   */
  readonly requestId: RequestId;
}

/** The context of a handler whose params may name a session that is not open. */
export interface AgentMaybeSessionContext<
  out S = undefined,
  out C = ClientMethods,
  out A = AgentMethods,
> extends AgentContext<C, A> {
  /** The session that the params name; `undefined` if it is not open. */
  readonly session: AgentSession<S, C, A> | undefined;
}

/** The context of a handler that works on an open session. */
export interface AgentSessionContext<
  out S = undefined,
  out C = ClientMethods,
  out A = AgentMethods,
> extends AgentContextMembers<SessionPeer<C> & ClientDetails<A>, RequestId> {
  /** The session that the params name, or the one that is opening. */
  readonly session: AgentSession<S, C, A>;
}

/**
 * The context of the prompt handler. Its `signal` is the turn's signal.
 *
 * Calls of its `client` belong to the turn: they are abandoned when the turn is cancelled, and a question to the user
 * makes the session `requires_action` until the user answers. For a call that outlives the turn, use `session.client`.
 */
export interface AgentTurnContext<out S = undefined, out C = ClientMethods, out A = AgentMethods> extends Omit<
  AgentSessionContext<S, C, A>,
  "requestId"
> {
  /** The turn. Use it to send updates to the client while you handle the prompt. */
  readonly turn: AgentTurn<C>;
  /** The id of the prompt's request; `undefined` in a turn without a prompt. */
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
 * An agent's methods, with the results of its handlers. The prompt handler returns how its turn ended: the response on the
 * wire only means that the prompt was accepted, and the toolkit sends it.
 */
export type HandledMethods<A, C> = {
  [K in keyof A as Exclude<K, "initialize">]: K extends "session/prompt"
    ? Request<never, TurnEnd<C>, ReceivedParamsOf<A, K>, never>
    : A[K];
};

/**
 * An agent's handlers, by method name. Each gets the decoded params and a context, and returns the result; for
 * `session/prompt`, see {@link TurnEnd}. There is no handler for `initialize`: the agent responds to it from its
 * options.
 */
export type AgentHandlers<A = AgentMethods, C = ClientMethods, S = undefined> = {
  [K in keyof HandledMethods<A, C>]?:
    | Handler<HandledMethods<A, C>, K, AgentContextOf<K, ReceivedParamsOf<A, K & keyof A>, S, C, A>>
    | undefined;
};
