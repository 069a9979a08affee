import { type AgentMethods, agentTable, type ClientMethods, clientTable } from "@acp/schema/v1";
import type { Protocol } from "./extend.ts";

/** Version 1 of the protocol, stable, to be extended by {@link extend}. */
export const v1: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };
