// The protocol as a value, and its types that have names of their own here, looked up in the method maps: the stable and the unstable part
// of version 2 share one implementation, and each has its own updates, capabilities and MCP servers.
import { agentTable, clientTable } from "@acp/schema/v2";
import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import type { Protocol } from "../rpc/extend.ts";
import type {
  DistributiveOmit,
  MemberOf,
  MethodsAmong,
  ParamsOf,
  ReceivedParamsOf,
  ReceivedResultOf,
  ResultOf,
} from "../rpc/methods.ts";

/** Version 2 of the protocol, a draft, to be extended by {@link extend}. */
export const v2: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };

/** The update in the params of a `session/update`. */
type UpdateIn<P> = P extends { readonly update: infer U } ? U : never;

type Initialize<A> = MethodsAmong<A, "initialize">;

/** The methods that open a session. */
export type OpeningMethod = "session/new" | "session/resume" | "session/fork";

/** An update of a session, as an agent writes it. */
export type UpdateOf<C> = UpdateIn<ParamsOf<C, MethodsAmong<C, "session/update">>>;

/** An update of a session as a client reads it. Kinds that this version does not know have a variant of their own. */
export type ReceivedUpdateOf<C = ClientMethods> = UpdateIn<ReceivedParamsOf<C, MethodsAmong<C, "session/update">>>;

/** What an agent advertises, as it writes it. */
export type AgentCapabilitiesOf<A> = MemberOf<ResultOf<A, Initialize<A>>, "capabilities">;

/** What an agent advertised, as a client reads it. */
export type ReceivedAgentCapabilitiesOf<A> = MemberOf<ReceivedResultOf<A, Initialize<A>>, "capabilities">;

/** What a client advertises, as it writes it. */
export type ClientCapabilitiesOf<A> = MemberOf<ParamsOf<A, Initialize<A>>, "capabilities">;

/** What a client advertised, as an agent reads it. */
export type ReceivedClientCapabilitiesOf<A> = MemberOf<ReceivedParamsOf<A, Initialize<A>>, "capabilities">;

/** An MCP server that a session is set up with, as an agent reads it. */
export type ReceivedMcpServerOf<A> =
  MemberOf<ReceivedParamsOf<A, MethodsAmong<A, "session/new">>, "mcpServers"> extends readonly (infer Server)[]
    ? Server
    : never;

/** The answer to a prompt, as a client reads it: the prompt was accepted, and its message has this id. */
export type PromptResponseOf<A = AgentMethods> = ReceivedResultOf<A, MethodsAmong<A, "session/prompt">>;

/** An update with what a session is doing. */
type StateOf<C> = Extract<UpdateOf<C>, { readonly sessionUpdate: "state_update" }>;

/**
 * How a turn ends: what a prompt handler returns, and what `state_update` then says of the session, which is idle. Beside
 * the stop reason it may list the work that goes on in the `background`.
 */
export type TurnEnd<C = ClientMethods> = DistributiveOmit<
  Extract<StateOf<C>, { readonly state: "idle"; readonly stopReason: string }>,
  "sessionUpdate" | "state"
>;

/** The idle state of a session, as a client reads it: what finishes a turn. */
export type IdleStateOf<C = ClientMethods> = DistributiveOmit<
  Extract<ReceivedUpdateOf<C>, { readonly state: "idle" }>,
  "sessionUpdate"
>;

/** Work that goes on whatever the session is doing otherwise. */
export type BackgroundWorkOf<C = ClientMethods> =
  Extract<StateOf<C>, { readonly state: "running" }> extends { readonly background?: infer List }
    ? NonNullable<List> extends readonly (infer Work)[]
      ? Work
      : never
    : never;
