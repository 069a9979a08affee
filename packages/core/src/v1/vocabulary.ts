// What the bindings call by name, looked up in the method maps of the protocol: the stable and the unstable part of
// version 1 share one implementation, and each has its own updates, capabilities and MCP servers.
import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import type { ParamsOf, ReceivedParamsOf, ReceivedResultOf, ResultOf } from "../rpc/methods.ts";

/** A member of `T`, without null and undefined; `never` if `T` has no such member. */
type Member<T, K extends string> = T extends { readonly [Key in K]?: infer V } ? NonNullable<V> : never;

/** The update in the params of a `session/update`. */
type UpdateIn<P> = P extends { readonly update: infer U } ? U : never;

/** The methods of `M` among these names. */
type Among<M, K extends string> = Extract<keyof M, K>;

/** The methods that open a session. */
export type OpeningMethod = "session/new" | "session/load" | "session/resume" | "session/fork";

/** An update of a session, as an agent writes it. */
export type UpdateOf<C> = UpdateIn<ParamsOf<C, Among<C, "session/update">>>;

/** An update of a session as a client reads it. Kinds that this version does not know have a variant of their own. */
export type ReceivedUpdateOf<C = ClientMethods> = UpdateIn<ReceivedParamsOf<C, Among<C, "session/update">>>;

/** What an agent advertises, as it writes it. */
export type AgentCapabilitiesOf<A> = Member<ResultOf<A, Among<A, "initialize">>, "agentCapabilities">;

/** What an agent advertised, as a client reads it. */
export type ReceivedAgentCapabilitiesOf<A> = Member<ReceivedResultOf<A, Among<A, "initialize">>, "agentCapabilities">;

/** What a client advertises, as it writes it. */
export type ClientCapabilitiesOf<A> = Member<ParamsOf<A, Among<A, "initialize">>, "clientCapabilities">;

/** What a client advertised, as an agent reads it. */
export type ReceivedClientCapabilitiesOf<A> = Member<ReceivedParamsOf<A, Among<A, "initialize">>, "clientCapabilities">;

/** An MCP server that a session is set up with, as an agent reads it. */
export type ReceivedMcpServerOf<A> =
  Member<ReceivedParamsOf<A, Among<A, "session/new">>, "mcpServers"> extends readonly (infer Server)[] ? Server : never;

/** The answer to a prompt, as a client reads it. */
export type PromptResponseOf<A = AgentMethods> = ReceivedResultOf<A, Among<A, "session/prompt">>;
