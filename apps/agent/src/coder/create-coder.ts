import { type AgentDefinition, agentOfVersions } from "@acp/core/v2";

import type { CoderOptions } from "./coder-options.ts";
import { AgentSessions } from "./session/agent-sessions.ts";
import { removeEmptySessions } from "./session/remove-empty.ts";
import { createAgentOfVersion1 } from "./v1/agent.ts";
import { createAgentOfVersion2 } from "./v2/agent.ts";

/**
 * Creates the coding agent: it works on a project with a model of the user, and the tools that it gives to that model. The
 * `initialize` request of the client selects the version of the protocol; both see the same sessions.
 */
export function createCoder(options: CoderOptions): AgentDefinition {
  // Standard output is the connection, and warnings that mention a prompt belong nowhere.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const store = new AgentSessions({ folder: options.sessionsFolder, onProblem: options.onProblem });
  removeEmptySessions(store).catch(() => {
    // Nothing depends on it.
  });
  return agentOfVersions({
    v1: createAgentOfVersion1(options, store),
    v2: createAgentOfVersion2(options, store),
  });
}
