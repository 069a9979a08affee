import { type AgentDefinition, agentOfVersions } from "@acp/core/v2";

import type { ReferenceAgentOptions } from "./reference-agent-options.ts";
import { createAgentOfVersion1 } from "./v1/agent.ts";
import { createAgentOfVersion2 } from "./v2/agent.ts";

const info = { name: "reference-agent", title: "Reference agent", version: "1.0.0" };

/**
 * Creates the reference agent. It fixes small mistakes in JavaScript projects, reads and writes files, runs commands and
 * searches. It needs no model and no network, and keeps its sessions in memory. The `initialize` request of the client
 * selects the protocol version.
 *
 * @param options `pace` is 15 by default. Without `login`, nobody has to log in.
 */
export function createReferenceAgent({ pace = 15, login }: Partial<ReferenceAgentOptions> = {}): AgentDefinition {
  const options = { info, pace, login };
  return agentOfVersions({ v1: createAgentOfVersion1(options), v2: createAgentOfVersion2(options) });
}
