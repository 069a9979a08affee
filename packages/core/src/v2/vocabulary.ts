// What version 2 calls by name, looked up in the method maps of the protocol: its stable and its unstable part share one
// implementation, and each has its own updates, capabilities and MCP servers. What version 1 calls the same is taken from
// there: the types are looked up by method, and so are those of whichever protocol is asked for.
import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import type { DistributiveOmit, ParamsOf, ReceivedParamsOf, ReceivedResultOf, ResultOf } from "../rpc/methods.ts";
import type * as v1 from "../v1/vocabulary.ts";
import type { UpdateOf } from "../v1/vocabulary.ts";

export type { OpeningMethod, ReceivedMcpServerOf, UpdateOf } from "../v1/vocabulary.ts";

/** The member `capabilities` of `T`, without null and undefined. */
type CapabilitiesIn<T> = T extends { readonly capabilities?: infer V } ? NonNullable<V> : never;

type Initialize<A> = Extract<keyof A, "initialize">;

/** An update of a session as a client reads it. Kinds that this version does not know have a variant of their own. */
export type ReceivedUpdateOf<C = ClientMethods> = v1.ReceivedUpdateOf<C>;

/** What an agent advertises, as it writes it. */
export type AgentCapabilitiesOf<A> = CapabilitiesIn<ResultOf<A, Initialize<A>>>;

/** What an agent advertised, as a client reads it. */
export type ReceivedAgentCapabilitiesOf<A> = CapabilitiesIn<ReceivedResultOf<A, Initialize<A>>>;

/** What a client advertises, as it writes it. */
export type ClientCapabilitiesOf<A> = CapabilitiesIn<ParamsOf<A, Initialize<A>>>;

/** What a client advertised, as an agent reads it. */
export type ReceivedClientCapabilitiesOf<A> = CapabilitiesIn<ReceivedParamsOf<A, Initialize<A>>>;

/** The answer to a prompt, as a client reads it: the prompt was accepted, and its message has this id. */
export type PromptResponseOf<A = AgentMethods> = v1.PromptResponseOf<A>;

/** An update that tells what a session is doing. */
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
