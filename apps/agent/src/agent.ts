import { type AgentDefinition, agentOfVersions } from "@acp/core/v2";

import type { ReferenceAgentOptions } from "./reference-agent-options.ts";
import { createAgentOfVersion1 } from "./v1/agent.ts";
import { createAgentOfVersion2 } from "./v2/agent.ts";

const info = { name: "reference-agent", title: "Reference agent", version: "1.0.0" };

/**
 * The reference agent: repairs small mistakes in JavaScript projects, reads, writes, runs and searches. It needs no model
 * and no network, and remembers its sessions as long as its process lives. The first message of a client says which
 * version of the protocol is spoken. Text comes every 15 ms by default.
 */
export function createReferenceAgent({ pace = 15, login }: Partial<ReferenceAgentOptions> = {}): AgentDefinition {
  const options = { info, pace, login };
  return agentOfVersions({ v1: createAgentOfVersion1(options), v2: createAgentOfVersion2(options) });
}
