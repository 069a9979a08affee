import type { AgentMethods, ClientMethods, RequestId } from "@acp/schema/v1/types";
import type { Handler, ReceivedParamsOf, RequestMethod } from "../rpc/methods.ts";
import type { Peer, SessionPeer } from "../rpc/peer.ts";
import type { AgentContextMembers } from "../session/agent/public-members.ts";
import type { AgentSession, ClientDetails } from "./agent-session.ts";
import type { AgentTurn } from "./agent-turn.ts";
import type { PlanTurn } from "./plan-turn.ts";
import type { SubagentTurn } from "./subagent-turn.ts";
import type { OpeningMethod } from "./protocol-types.ts";

/** The second argument of a handler. */
export interface AgentContext<out C = ClientMethods, out A = AgentMethods> extends AgentContextMembers<
  Peer<C> & ClientDetails<A>,
  RequestId | undefined
> {}

/** The context of a handler that answers a request. */
export interface AgentRequestContext<out C = ClientMethods, out A = AgentMethods> extends AgentContext<C, A> {
  /**
   * The id of the request, as the client sent it. Refer to it when something belongs to this request and not to a
   * session (ELIC-05), as `elicitUrl` does. Numbers beyond 2^53 lose digits, as always in JavaScript.
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
 * Calls of its `client` belong to the turn: one second after a cancel, those without a response are abandoned, except
 * questions to the user, which the client answers itself. For a call that outlives the turn, use `session.client`.
 */
export interface AgentTurnContext<
  out S = undefined,
  out C = ClientMethods,
  out A = AgentMethods,
> extends AgentSessionContext<S, C, A> {
  /** The turn. Use it to send updates to the client while you handle the prompt. */
  readonly turn: AgentTurn<C> & PlanTurn<C> & SubagentTurn<C>;
}

/** Methods that need an open session. */
type SessionMethod = "session/prompt" | "session/close" | "session/set_mode" | "session/set_config_option";

type AgentContextOf<K, P, S, C, A> = K extends "session/prompt"
  ? AgentTurnContext<S, C, A>
  : K extends SessionMethod | OpeningMethod
    ? AgentSessionContext<S, C, A>
    : ([P] extends [{ sessionId: string }] ? AgentMaybeSessionContext<S, C, A> : AgentContext<C, A>) &
        (K extends RequestMethod<A> ? AgentRequestContext<C, A> : unknown);

/**
 * An agent's handlers, by method name. Each gets the decoded params and a context, and returns the result. There is no
 * handler for `initialize`: the agent responds to it from its options.
 */
export type AgentHandlers<A = AgentMethods, C = ClientMethods, S = undefined> = {
  // Renamed, not picked: so an editor shows the protocol's text about each method.
  [K in keyof A as Exclude<K, "initialize">]?:
    | Handler<A, K, AgentContextOf<K, ReceivedParamsOf<A, K>, S, C, A>>
    | undefined;
};
