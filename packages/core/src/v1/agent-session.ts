import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v1/types";
import type { SessionPeer } from "../rpc/peer.ts";
import type { AgentSessionMembers, ClientDetailMembers, SetupMembers } from "../session/agent/public-members.ts";
import type { ReceivedParamsOf } from "../rpc/methods.ts";
import type { OpeningMethod, ReceivedClientCapabilitiesOf, ReceivedMcpServerOf, UpdateOf } from "./protocol-types.ts";

/** The request that opens a session: `session/new`, `session/load`, `session/resume` … */
export type SessionSetup<A = AgentMethods> = {
  [K in Extract<keyof A, OpeningMethod>]: SetupMembers<ReceivedMcpServerOf<A>> & {
    /** The method that opens the session. */
    readonly method: K;
    /** The params of that method, as received. */
    readonly params: ReceivedParamsOf<A, K>;
  };
}[Extract<keyof A, OpeningMethod>];

/** The client's part of `initialize`. */
export interface ClientDetails<A = AgentMethods> extends ClientDetailMembers<
  ReceivedClientCapabilitiesOf<A>,
  Received.Implementation
> {}

/** A session on the agent's side. */
export interface AgentSession<
  out S = undefined,
  out C = ClientMethods,
  out A = AgentMethods,
> extends AgentSessionMembers<S, ReceivedMcpServerOf<A>, SessionPeer<C> & ClientDetails<A>, UpdateOf<C>> {}
