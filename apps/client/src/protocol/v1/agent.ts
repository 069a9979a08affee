import { listSessions } from "@acp/core/sessions";
import { canSteer } from "@acp/core/steering";
import type { SpawnedAgent } from "#runtime";
import type { McpServer, Received } from "@acp/schema/v1";

import type { Agent, AgentAbilities, PromptKinds, Login } from "../agent.ts";
import { requireLogin } from "../with-login.ts";
import { fitSetup, noSetup, type SessionServer, type SessionSetup } from "../session-setup.ts";
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

function fit(
  wanted: SessionSetup,
  { mcpCapabilities, sessionCapabilities }: Capabilities,
): ReturnType<typeof fitSetup> {
  const over = (["http", "sse"] as const).filter((type) => mcpCapabilities?.[type] === true);
  const directories = sessionCapabilities?.additionalDirectories != null;
  return fitSetup(wanted, { transports: ["stdio", ...over], directories });
}

/** A server over stdio has no type in this version. */
function toServer(server: SessionServer): McpServer {
  if (server.type !== "stdio") return server;
  const { type: _, ...stdio } = server;
  return stdio;
}

/** Adapts an agent of version 1 to this program. */
export function agentOfVersion1(agent: SpawnedAgent, wanted: SessionSetup = noSetup): Agent {
  const { setup, leftOut } = fit(wanted, agent.capabilities);
  const { additionalDirectories: folders } = setup;
  const extras = {
    mcpServers: setup.mcpServers.map(toServer),
    ...(folders.length === 0 ? {} : { additionalDirectories: [...folders] }),
  };
  const wrapped: Agent = {
    version: agent.protocolVersion,
    info: agent.info,
    logins: agent.authMethods.map(toLogin),
    takes: takes(agent.capabilities),
    can: { ...abilities(agent.capabilities), steer: canSteer(agent) },
    signal: agent.signal,
    leftOut,
    newSession: async (cwd) => sessionOf(await agent.newSession({ cwd, ...extras })),
    loadSession: async (sessionId, cwd) =>
      withHistory(sessionOf(await agent.loadSession({ sessionId, cwd, ...extras })), true),
    resumeSession: async (sessionId, cwd) =>
      withHistory(sessionOf(await agent.resumeSession({ sessionId, cwd, ...extras })), false),
    deleteSession: async (sessionId) => void (await agent.request("session/delete", { sessionId })),
    listSessions: (cwd, signal) => listSessions(agent, { cwd, signal }),
    async logIn(loginId, signal) {
      requireLogin(wrapped.logins, loginId);
      const next = await agent.login(loginId, { signal });
      return next === agent ? wrapped : agentOfVersion1(next, wanted);
    },
    logOut: async () => void (await agent.request("logout", {})),
    close: () => agent.close(),
  };
  return wrapped;
}

export function toLogin({ type, id, name, description }: Received.AuthMethod): Login {
  return { id, name, description, takesTerminal: type === "terminal" };
}
