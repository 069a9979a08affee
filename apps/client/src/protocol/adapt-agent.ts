import { listSessions } from "@acp/core/sessions";
import { canSteer, steer } from "@acp/core/steering";

import type { Agent, AgentAbilities, PromptBlock, SteeringEnd } from "./agent.ts";
import { withHistory } from "./until-quiet.ts";
import { UnknownLogin } from "./with-login.ts";

/** What connected agents have in both versions. */
type Connected<Self> = Parameters<typeof listSessions>[0] &
  Parameters<typeof canSteer>[0] &
  Pick<Agent, "info" | "signal" | "close"> & {
    readonly protocolVersion: number;
    login(id: string, options: { readonly signal: AbortSignal }): Promise<Self>;
  };

/** What each version does in its own way. */
interface OwnParts extends Omit<Agent, "version" | "info" | "can" | "signal" | "listSessions" | "logIn" | "close"> {
  readonly can: Omit<AgentAbilities, "steer">;
}

/** Adapts an agent to this program. `adapt` does so with the process that a login returns. */
export function adaptAgent<Self extends Connected<Self>>(
  agent: Self,
  own: OwnParts,
  adapt: (next: Self) => Agent,
): Agent {
  const adapted: Agent = {
    ...own,
    version: agent.protocolVersion,
    info: agent.info,
    can: { ...own.can, steer: canSteer(agent) },
    signal: agent.signal,
    reopenSession: async (sessionId, cwd, how) =>
      withHistory(await own.reopenSession(sessionId, cwd, how), how === "load"),
    listSessions: (cwd, signal) => listSessions(agent, { cwd, signal }),
    async logIn(loginId, signal) {
      if (!own.logins.some(({ id }) => id === loginId)) throw new UnknownLogin(loginId);
      const next = await agent.login(loginId, { signal });
      return next === agent ? adapted : adapt(next);
    },
    close: () => agent.close(),
  };
  return adapted;
}

/** Says something in the running turn of a session of either version. */
export async function say(
  session: Parameters<typeof steer>[0],
  prompt: string | readonly PromptBlock[],
  signal?: AbortSignal,
): Promise<SteeringEnd> {
  const outcome = await steer(session, prompt, { signal });
  // An agent may have started a turn of its own with it.
  return outcome === "injected" || outcome === "startedNewTurn" ? "taken" : "refused";
}
