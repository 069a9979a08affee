import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import type { Handler, ReceivedParamsOf } from "../rpc/methods.ts";
import type { Peer, SessionPeer } from "../rpc/peer.ts";
import type { ContextMembers } from "../session/client/public-members.ts";
import type { ClientSession } from "./client-session.ts";

/** The second argument of a handler. */
export interface ClientContext<out A = AgentMethods, out C = ClientMethods> extends ContextMembers<
  Peer<A>,
  ClientSession<A, C> | undefined
> {}

/** The context of a handler whose params always name a session. */
export interface ClientSessionContext<out A = AgentMethods, out C = ClientMethods> extends ContextMembers<
  SessionPeer<A>,
  ClientSession<A, C>
> {}

type ClientContextOf<P, A, C> = [P] extends [{ sessionId: string }] ? ClientSessionContext<A, C> : ClientContext<A, C>;

/** A client's handlers, by method name. Each gets the decoded params and a context, and returns the result. */
export type ClientHandlers<C = ClientMethods, A = AgentMethods> = {
  [K in keyof C]?: Handler<C, K, ClientContextOf<ReceivedParamsOf<C, K>, A, C>> | undefined;
};
