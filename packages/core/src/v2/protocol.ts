import { agentTable, clientTable } from "@acp/schema/v2";
import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import type { Protocol } from "../rpc/extend.ts";

/** Version 2 of the protocol, a draft, to be extended by {@link extend}. */
export const v2: Protocol<AgentMethods, ClientMethods> = { agent: agentTable, client: clientTable };
