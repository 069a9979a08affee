// The types of the main entry that have the protocol as a parameter, with the unstable one as its default.
import type { AgentMethods, ClientMethods } from "@acp/schema/v1/unstable/types";
import type * as handlers from "../agent-handlers.ts";
import type * as agentSession from "../agent-session.ts";
import type * as agentTurn from "../agent-turn.ts";
import type * as client from "../client.ts";
import type * as clientHandlers from "../client-handlers.ts";
import type * as clientSession from "../client-session.ts";
import type * as clientTurn from "../turn.ts";
import type * as connected from "../connected-agent.ts";
import type { PlanTurn } from "../plan-turn.ts";
import type * as subagentTurn from "../subagent-turn.ts";
import type * as protocol from "../protocol-types.ts";

/** The client's description of itself in `initialize`. */
export type ClientDetails<A = AgentMethods> = agentSession.ClientDetails<A>;

/** The second argument of an agent's handler. */
export type AgentContext<C = ClientMethods, A = AgentMethods> = handlers.AgentContext<C, A>;

/** The context of a handler that answers a request. */
export type AgentRequestContext<C = ClientMethods, A = AgentMethods> = handlers.AgentRequestContext<C, A>;

/** The context of a handler whose params may name a session that is not open here. */
export type AgentMaybeSessionContext<
  S = undefined,
  C = ClientMethods,
  A = AgentMethods,
> = handlers.AgentMaybeSessionContext<S, C, A>;

/** The context of a handler that works on an open session. */
export type AgentSessionContext<S = undefined, C = ClientMethods, A = AgentMethods> = handlers.AgentSessionContext<
  S,
  C,
  A
>;

/** The context of the prompt handler. Its `signal` is the turn's. */
export type AgentTurnContext<S = undefined, C = ClientMethods, A = AgentMethods> = handlers.AgentTurnContext<S, C, A>;

/** An agent's handlers, keyed by wire method. */
export type AgentHandlers<A = AgentMethods, C = ClientMethods, S = undefined> = handlers.AgentHandlers<A, C, S>;

/** The params that open a session, by any method, `session/fork` among them. */
export type SessionSetup<A = AgentMethods> = agentSession.SessionSetup<A>;

/** A session as the agent sees it. */
export type AgentSession<S = undefined, C = ClientMethods, A = AgentMethods> = agentSession.AgentSession<S, C, A>;

/** A prompt turn as the agent sees it. */
export type AgentTurn<C = ClientMethods> = agentTurn.AgentTurn<C> & PlanTurn<C> & subagentTurn.SubagentTurn<C>;

/** A subagent that was announced to the client. It may outlive the turn. */
export type Subagent<C = ClientMethods> = subagentTurn.SubagentOf<C>;

/** A client, ready to connect to any number of agents. */
export type ClientDefinition<A = AgentMethods, C = ClientMethods> = client.ClientDefinition<A, C>;

/** A call of a client, as an interceptor sees it. */
export type InterceptedCall<A = AgentMethods, C = ClientMethods> = client.InterceptedCall<A, C>;

/** A request of the agent, as an interceptor sees it. */
export type InterceptedRequest<A = AgentMethods, C = ClientMethods> = client.InterceptedRequest<A, C>;

/** Code around the calls of a client, and around its handlers. */
export type Interceptor<A = AgentMethods, C = ClientMethods> = client.Interceptor<A, C>;

/** The second argument of a client's handler. */
export type ClientContext<A = AgentMethods, C = ClientMethods> = clientHandlers.ClientContext<A, C>;

/** The context of a client's handler whose params always name a session. */
export type ClientSessionContext<A = AgentMethods, C = ClientMethods> = clientHandlers.ClientSessionContext<A, C>;

/** A client's handlers, keyed by wire method. */
export type ClientHandlers<C = ClientMethods, A = AgentMethods> = clientHandlers.ClientHandlers<C, A>;

/** A session as the client sees it. */
export type ClientSession<A = AgentMethods, C = ClientMethods> = clientSession.ClientSession<A, C>;

/** A prompt turn as the client sees it. */
export type Turn<A = AgentMethods, C = ClientMethods> = clientTurn.Turn<A, C>;

/** An update of a session, as a client reads it: with a variant for unknown updates. */
export type ReceivedUpdateOf<C = ClientMethods> = protocol.ReceivedUpdateOf<C>;

/** The answer to a prompt, as a client reads it. */
export type PromptResponseOf<A = AgentMethods> = protocol.PromptResponseOf<A>;

/** An agent that has been initialized. */
export type ConnectedAgent<A = AgentMethods, C = ClientMethods> = connected.ConnectedAgent<A, C>;
