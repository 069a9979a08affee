// The protocol as a value, and its types that have names of their own here, looked up in the method maps: the stable and the unstable part
// of version 2 share one implementation, and each has its own updates, capabilities and MCP servers.
import { agentTable, clientTable } from "@acp/schema/v2";
import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import type { Protocol } from "../rpc/extend.ts";
import type { ReceivedMcpServerOf, ReceivedUpdate, UpdateOf } from "../session/protocol-types.ts";
import type {
  DistributiveOmit,
  MemberOf,
  MethodsAmong,
  ParamsOf,
  ReceivedParamsOf,
  ReceivedResultOf,
  ResultOf,
} from "../rpc/methods.ts";

export type { ReceivedMcpServerOf, UpdateOf };

/** Version 2 of the protocol, a draft. Pass it to {@link extend} to add methods. */
export const v2: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };

type Initialize<A> = MethodsAmong<A, "initialize">;

/** The methods that open a session. */
export type OpeningMethod = "session/new" | "session/resume" | "session/fork";

/** An update of a session, as a client receives it. Unknown kinds have a variant of their own. */
export type ReceivedUpdateOf<C = ClientMethods> = ReceivedUpdate<C>;

/** An agent's capabilities, as it sends them. */
export type AgentCapabilitiesOf<A> = MemberOf<ResultOf<A, Initialize<A>>, "capabilities">;

/** An agent's capabilities, as a client receives them. */
export type ReceivedAgentCapabilitiesOf<A> = MemberOf<ReceivedResultOf<A, Initialize<A>>, "capabilities">;

/** A client's capabilities, as it sends them. */
export type ClientCapabilitiesOf<A> = MemberOf<ParamsOf<A, Initialize<A>>, "capabilities">;

/** A client's capabilities, as an agent receives them. */
export type ReceivedClientCapabilitiesOf<A> = MemberOf<ReceivedParamsOf<A, Initialize<A>>, "capabilities">;

/** The response to a prompt, as a client receives it. It has the id of the accepted message. */
export type PromptResponseOf<A = AgentMethods> = ReceivedResultOf<A, MethodsAmong<A, "session/prompt">>;

/** An update with the state of a session. */
type StateOf<C> = Extract<UpdateOf<C>, { readonly sessionUpdate: "state_update" }>;

/**
 * How a turn ends: the result of a prompt handler, which the idle `state_update` then reports. Besides the stop
 * reason, it may list work that continues in the `background`.
 */
export type TurnEnd<C = ClientMethods> = DistributiveOmit<
  Extract<StateOf<C>, { readonly state: "idle"; readonly stopReason: string }>,
  "sessionUpdate" | "state"
>;

/** The idle state of a session that finishes a turn, as a client receives it. */
export type IdleStateOf<C = ClientMethods> = DistributiveOmit<
  Extract<ReceivedUpdateOf<C>, { readonly state: "idle" }>,
  "sessionUpdate"
>;

/** Work in the background, which continues in any state of the session. */
export type BackgroundWorkOf<C = ClientMethods> =
  Extract<StateOf<C>, { readonly state: "running" }> extends { readonly background?: infer List }
    ? NonNullable<List> extends readonly (infer Work)[]
      ? Work
      : never
    : never;
