import { agentTable, clientTable } from "@acp/schema/v1";
import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import type { Protocol } from "../rpc/extend.ts";

/** Version 1 of the protocol, stable, to be extended by {@link extend}. */
export const v1: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };
