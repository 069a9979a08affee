import { spawnAgent, type SpawnAgentOptions } from "#runtime";

import type { Agent } from "./agent.ts";
import type { ClientEvents } from "./client-events.ts";
import type { SessionSetup } from "./session-setup.ts";
import { agentOfVersion1 } from "./v1/agent.ts";
import { createClientOfVersion1 } from "./v1/client.ts";

/** Starts an agent with this protocol version, or an older one if the agent does not support it. `setup` is for each session. */
export async function connect(
  version: 1 | 2,
  events: ClientEvents,
  launch: SpawnAgentOptions,
  setup?: SessionSetup,
): Promise<Agent> {
  const older = createClientOfVersion1(events);
  if (version === 1) return agentOfVersion1(await spawnAgent(older, launch), setup);
  // Most runs do not need it, and would start later.
  const [{ clientOfVersions }, { agentOfVersion2 }, { createClientOfVersion2 }] = await Promise.all([
    import("@acp/core/v2"),
    import("./v2/agent.ts"),
    import("./v2/client.ts"),
  ]);
  const client = clientOfVersions({ v1: older, v2: createClientOfVersion2(events) });
  const connected = await spawnAgent(client, launch);
  return connected.version === 1 ? agentOfVersion1(connected.agent, setup) : agentOfVersion2(connected.agent, setup);
}
