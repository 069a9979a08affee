import type { ClientConnector } from "@acp/core";

import type { Runtime } from "../runtime/runtime.ts";
import { timeLimit } from "../time-limit.ts";
import { requireCommand, requireDefinition } from "../usage.ts";
import { Supervisor } from "./agent-supervisor.ts";
import type { AgentSupervisor, SessionOf, Supervisable, SuperviseAgentOptions } from "./agent-life.ts";
import { RestartLimit } from "./restart-limit.ts";
import { createSpawnAgent } from "./spawn-agent.ts";

/** The type of `superviseAgent`. Editors look for the comment on its call. */
export interface SuperviseAgent {
  /**
   * Starts an agent as `spawnAgent` does, and again when it dies or when a turn had to be given up. Iterate the supervisor: it
   * returns the agent, and each later one with the sessions that it has opened again. A loop that was busy gets the latest.
   *
   * ```ts
   * const supervisor = superviseAgent(client, { command: "my-agent" });
   * for await (const { agent, sessions, lost } of supervisor) show(agent, sessions, lost);
   * ```
   *
   * A new agent resumes the sessions that `newSession`, `loadSession`, `resumeSession` and `forkSession` of the agent before
   * it had opened, or loads them if it cannot resume. If it advertises neither, they are `lost`. The supervisor sends no prompt
   * again: the turn rejects, and you decide. It reports each step as a `supervision` diagnostic.
   *
   * The loop throws what `spawnAgent` throws if the first start fails, and a {@link ConnectionClosedError} when there were
   * too many restarts; its `cause` says why the last agent has ended.
   *
   * @throws {UsageError} without a client or a command, and for limits that are none.
   */
  <Connected extends Supervisable>(
    client: ClientConnector<Connected>,
    options: SuperviseAgentOptions<SessionOf<Connected>>,
  ): AgentSupervisor<Connected>;
}

/** Creates {@link SuperviseAgent} for a runtime. */
export function createSuperviseAgent(runtime: Runtime): SuperviseAgent {
  return (client, options) => {
    requireDefinition(client, "Client");
    requireCommand(options);
    const limits = new RestartLimit(options.restarts ?? {});
    const reopenTimeout = timeLimit("reopenTimeout", options.reopenTimeout ?? 60_000);
    timeLimit("startTimeout", options.startTimeout ?? 0);
    return new Supervisor(createSpawnAgent(runtime), client, options, limits, reopenTimeout);
  };
}
