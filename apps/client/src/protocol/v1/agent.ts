import { listSessions } from "@acp/core/sessions";
import { canSteer } from "@acp/core/steering";
import type { SpawnedAgent } from "#runtime";
import type { Received } from "@acp/schema/v1";

import type { Agent, AgentAbilities, PromptKinds, Login } from "../agent.ts";
import { requireLogin } from "../with-login.ts";
import { withHistory } from "../until-quiet.ts";
import { sessionOf } from "./session.ts";

type Capabilities = SpawnedAgent["capabilities"];

function takes({ promptCapabilities: kinds }: Capabilities): PromptKinds {
  const { image = false, audio = false, embeddedContext = false } = kinds ?? {};
  return { image, audio, embeddedContext };
}

function abilities({ loadSession, sessionCapabilities }: Capabilities): Omit<AgentAbilities, "steer"> {
  const { resume, list, delete: remove, close } = sessionCapabilities ?? {};
  return {
    load: loadSession === true,
    resume: resume != null,
    list: list != null,
    delete: remove != null,
    close: close != null,
  };
}

/** Adapts an agent of version 1 to this program. */
export function agentOfVersion1(agent: SpawnedAgent): Agent {
  const wrapped: Agent = {
    version: agent.protocolVersion,
    info: agent.info,
    logins: agent.authMethods.map(toLogin),
    takes: takes(agent.capabilities),
    can: { ...abilities(agent.capabilities), steer: canSteer(agent) },
    signal: agent.signal,
    newSession: async (cwd) => sessionOf(await agent.newSession({ cwd })),
    loadSession: async (sessionId, cwd) => withHistory(sessionOf(await agent.loadSession({ sessionId, cwd })), true),
    resumeSession: async (sessionId, cwd) =>
      withHistory(sessionOf(await agent.resumeSession({ sessionId, cwd })), false),
    deleteSession: async (sessionId) => void (await agent.request("session/delete", { sessionId })),
    listSessions: (cwd, signal) => listSessions(agent, { cwd, signal }),
    async logIn(loginId, signal) {
      requireLogin(wrapped.logins, loginId);
      const next = await agent.login(loginId, { signal });
      return next === agent ? wrapped : agentOfVersion1(next);
    },
    logOut: async () => void (await agent.request("logout", {})),
    close: () => agent.close(),
  };
  return wrapped;
}

export function toLogin({ type, id, name, description }: Received.AuthMethod): Login {
  return { id, name, description, takesTerminal: type === "terminal" };
}
