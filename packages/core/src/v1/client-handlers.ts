import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import type { Handler, ReceivedParamsOf } from "../rpc/methods.ts";
import type { Peer, SessionPeer } from "../rpc/peer.ts";
import type { ClientSession } from "./client-session.ts";

/** The second argument of a handler. */
export interface ClientContext<out A = AgentMethods, out C = ClientMethods> {
  /** The agent. */
  readonly agent: Peer<A>;
  /** The session that the params name; `undefined` if they name none that is open. */
  readonly session: ClientSession<A, C> | undefined;
  /**
   * Aborts when the agent cancels this request or is gone. For questions to the user (permission, elicitation), also
   * when the turn is cancelled.
   */
  readonly signal: AbortSignal;
}

/** The context of a handler whose params always name a session. */
export interface ClientSessionContext<out A = AgentMethods, out C = ClientMethods> {
  /** The agent. Calls are for this session: they need no `sessionId`. */
  readonly agent: SessionPeer<A>;
  /** The session that the params name. */
  readonly session: ClientSession<A, C>;
  /**
   * Aborts when the agent cancels this request or is gone. For questions to the user (permission, elicitation), also
   * when the turn is cancelled.
   */
  readonly signal: AbortSignal;
}

type ClientContextOf<P, A, C> = [P] extends [{ sessionId: string }] ? ClientSessionContext<A, C> : ClientContext<A, C>;

/** A client's handlers, keyed by wire method. Each gets the decoded params and a context; what it returns is the result. */
export type ClientHandlers<C = ClientMethods, A = AgentMethods> = {
  [K in keyof C]?: Handler<C, K, ClientContextOf<ReceivedParamsOf<C, K>, A, C>> | undefined;
};
