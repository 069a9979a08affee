import { agentTable, clientTable } from "@acp/schema/v1/unstable";
import type { AgentMethods, ClientMethods, SessionUpdate } from "@acp/schema/v1/unstable/types";
import type { Protocol } from "../../rpc/extend.ts";
import type { AgentRole, ClientRole } from "../../rpc/role.ts";
import { type AgentDefinition, defineAgent } from "../../session/agent/agent-definition.ts";
import type { AgentOptions } from "../agent.ts";
import { agentDialect } from "../agent-dialect.ts";
import type { ExtensionHandlers } from "../../session/handler-table.ts";
import { type ClientOptions, defineClient } from "../client.ts";
import { unstableTurn } from "./agent-turn.ts";
import { readOlderPlanCapability, readOlderPlanIds } from "./older-plans.ts";
import { planFallback } from "./plan-fallback.ts";
import { createSubagentSessions } from "./subagent-sessions.ts";
import type { AgentContext, ClientContext, ClientDefinition } from "./types.ts";

// Marked as pure: who makes only clients has no agent's table in the bundle, and the other way round.
const agentRole: AgentRole = /* @__PURE__ */ createAgentRole();
const clientRole: ClientRole = /* @__PURE__ */ createClientRole();

function createAgentRole(): AgentRole {
  return {
    ...readOlderPlanCapability(agentTable),
    // Updates were checked where they were given: they are of the types of this protocol.
    substitute: (update, session, capabilities) => planFallback(update as SessionUpdate, session, capabilities),
    turn: unstableTurn,
  };
}

function createClientRole(): ClientRole {
  return { ...readOlderPlanIds(clientTable), subagentSessions: createSubagentSessions };
}

/** Version 1 of the protocol with its unstable part, to be extended by `extend`. */
export const v1: Protocol<AgentMethods, ClientMethods> = { agent: agentRole, client: clientRole };

/**
 * Makes an agent from its handlers, which may be for unstable methods as well.
 *
 * ```ts
 * const agent = createAgent({
 *   info: { name: "hello", version: "1.0.0" },
 *   handlers: {
 *     "session/prompt": async (_params, { turn }) => {
 *       await turn.message("Hello.");
 *       return { stopReason: "end_turn" };
 *     },
 *     "session/fork": (_params, { session }) => ({ sessionId: session.id }),
 *   },
 * });
 * ```
 *
 * @throws {UsageError} if there is no handler for `session/prompt`, a handler is for no method of the protocol, or
 * handlers, capabilities and login methods contradict each other.
 */
export function createAgent<S = undefined, H extends object = object>(
  options: AgentOptions<AgentMethods, ClientMethods, S, H, ExtensionHandlers<AgentContext>>,
): AgentDefinition {
  return defineAgent(agentDialect, agentRole, options);
}

/**
 * Makes a client from its handlers, which may be for unstable methods as well.
 *
 * @throws {UsageError} if a handler is for no method of the protocol, or handlers and capabilities contradict each other.
 */
export function createClient<H extends object = object>(
  options: ClientOptions<AgentMethods, ClientMethods, H, ExtensionHandlers<ClientContext>>,
): ClientDefinition {
  return defineClient(clientRole, options);
}
