import type { ClientConnector } from "@acp/core";

import type { Runtime } from "../runtime/runtime.ts";
import { requireCommand, requireDefinition, requireRuntime } from "../usage.ts";
import { Supervisor } from "./agent-supervisor.ts";
import type { AgentSupervisor, SessionOf, Supervisable, SuperviseAgentOptions } from "./agent-life.ts";
import { RestartLimit } from "./restart-limit.ts";
import { createSpawnAgent } from "./spawn-agent.ts";
import { timeLimit } from "../within.ts";

/** The type of `superviseAgent`. Editors show the comment on its call signature. */
export interface SuperviseAgent {
  /**
   * Starts an agent like `spawnAgent`, and restarts it when it dies or a turn had to be abandoned. Iterate the
   * supervisor to get the first agent, then each later agent with the sessions that it has reopened. If the loop is
   * busy, it skips to the latest agent.
   *
   * ```ts
   * const supervisor = superviseAgent(client, { command: "my-agent" });
   * for await (const { agent, sessions, lost } of supervisor) show(agent, sessions, lost);
   * ```
   *
   * A new agent resumes the sessions that the previous agent opened with `newSession`, `loadSession`, `resumeSession`
   * and `forkSession`, or loads them if it cannot resume. If it supports neither, they are `lost`. The supervisor never
   * resends a prompt: the turn rejects, and you decide. It reports each step as a `supervision` diagnostic.
   *
   * If the first start fails, the loop throws the error of `spawnAgent`. After too many restarts, it throws a {@link
   * ConnectionClosedError} whose `cause` explains why the last agent ended.
   *
   * @throws {UsageError} if the client or the command is missing, or a limit is invalid.
   */
  <Connected extends Supervisable>(
    client: ClientConnector<Connected>,
    options: SuperviseAgentOptions<SessionOf<Connected>>,
  ): AgentSupervisor<Connected>;
}

/** Creates {@link SuperviseAgent} for a runtime. */
export function createSuperviseAgent(runtime: Runtime): SuperviseAgent {
  requireRuntime(runtime, "createSuperviseAgent");
  return (client, options) => {
    requireDefinition(client, "Client");
    requireCommand(options);
    const limits = new RestartLimit(options.restarts ?? {});
    const reopenTimeout = timeLimit("reopenTimeout", options.reopenTimeout ?? 60_000);
    timeLimit("startTimeout", options.startTimeout ?? 0);
    return new Supervisor(createSpawnAgent(runtime), client, options, limits, reopenTimeout);
  };
}
