import { agentTable, clientTable } from "@acp/schema/v2/unstable";
import type { AgentMethods, ClientMethods } from "@acp/schema/v2/unstable/types";
import type { Protocol } from "../../rpc/extend.ts";
import { type AgentDefinition, defineAgent } from "../../session/agent/agent-definition.ts";
import type { ExtensionHandlers } from "../../session/handler-table.ts";
import type { AgentOptions } from "../agent.ts";
import { agentDialect } from "../agent-dialect.ts";
import { type ClientOptions, defineClient } from "../client.ts";
import type { AgentContext, ClientContext, ClientDefinition } from "./types.ts";

/** Version 2 of the protocol with its unstable part, to be extended by `extend`. */
export const v2: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };

/**
 * Makes an agent of version 2 from its handlers, which may be for unstable methods as well.
 *
 * @throws {UsageError} if there is no handler for `session/prompt`, a handler is for no method of the protocol, or
 * handlers, capabilities and login methods contradict each other.
 */
export function createAgent<S = undefined, H extends object = object>(
  options: AgentOptions<AgentMethods, ClientMethods, S, H, ExtensionHandlers<AgentContext>>,
): AgentDefinition {
  return defineAgent(agentDialect, agentTable, options);
}

/**
 * Makes a client of version 2 from its handlers, which may be for unstable methods as well.
 *
 * @throws {UsageError} if a handler is for no method of the protocol, or handlers and capabilities contradict each other.
 */
export function createClient<H extends object = object>(
  options: ClientOptions<AgentMethods, ClientMethods, H, ExtensionHandlers<ClientContext>>,
): ClientDefinition {
  return defineClient(clientTable, options);
}
