// The protocol as a value, and its types that have names of their own here, looked up in the method maps: the stable and the unstable part
// of version 1 share one implementation, and each has its own updates, capabilities and MCP servers.
import { agentTable, clientTable } from "@acp/schema/v1";
import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import type { Protocol } from "../rpc/extend.ts";
import type { ReceivedMcpServerOf, ReceivedUpdate, UpdateOf } from "../session/protocol-types.ts";
import type { MemberOf, MethodsAmong, ParamsOf, ReceivedParamsOf, ReceivedResultOf, ResultOf } from "../rpc/methods.ts";

export type { ReceivedMcpServerOf, UpdateOf };

/** Version 1 of the protocol, without its unstable part. Pass it to {@link extend} to add methods. */
export const v1: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };

/** The methods that open a session. */
export type OpeningMethod = "session/new" | "session/load" | "session/resume" | "session/fork";

/** An update of a session, as a client receives it. Unknown kinds have a variant of their own. */
export type ReceivedUpdateOf<C = ClientMethods> = ReceivedUpdate<C>;

/** An agent's capabilities, as it sends them. */
export type AgentCapabilitiesOf<A> = MemberOf<ResultOf<A, MethodsAmong<A, "initialize">>, "agentCapabilities">;

/** An agent's capabilities, as a client receives them. */
export type ReceivedAgentCapabilitiesOf<A> = MemberOf<
  ReceivedResultOf<A, MethodsAmong<A, "initialize">>,
  "agentCapabilities"
>;

/** A client's capabilities, as it sends them. */
export type ClientCapabilitiesOf<A> = MemberOf<ParamsOf<A, MethodsAmong<A, "initialize">>, "clientCapabilities">;

/** A client's capabilities, as an agent receives them. */
export type ReceivedClientCapabilitiesOf<A> = MemberOf<
  ReceivedParamsOf<A, MethodsAmong<A, "initialize">>,
  "clientCapabilities"
>;

/** The response to a prompt, as a client receives it. */
export type PromptResponseOf<A = AgentMethods> = ReceivedResultOf<A, MethodsAmong<A, "session/prompt">>;
