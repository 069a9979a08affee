import type { SpawnedAgent } from "#runtime";
import type { McpServer, Received } from "@acp/schema/v1";

import { adaptAgent } from "../adapt-agent.ts";
import type { Agent, Login, WayBack } from "../agent.ts";
import { fitSetup, noSetup, type SessionServer, type SessionSetup } from "../session-setup.ts";
import { sessionOf } from "./session.ts";

/** A server over stdio has no type in this version. */
function toServer(server: SessionServer): McpServer {
  if (server.type !== "stdio") return server;
  const { type: _, ...stdio } = server;
  return stdio;
}

export function agentOfVersion1(agent: SpawnedAgent, wanted: SessionSetup = noSetup): Agent {
  const { loadSession, mcpCapabilities, promptCapabilities, sessionCapabilities } = agent.capabilities;
  const { resume, list, delete: remove, close, additionalDirectories } = sessionCapabilities ?? {};
  const { image = false, audio = false, embeddedContext = false } = promptCapabilities ?? {};
  const { mcpServers, directories, leftOut } = fitSetup(wanted, {
    transports: ["stdio", ...(["http", "sse"] as const).filter((type) => mcpCapabilities?.[type] === true)],
    directories: additionalDirectories != null,
  });
  const setup = { mcpServers: mcpServers.map(toServer), ...directories };
  const own = {
    logins: agent.authMethods.map(toLogin),
    takes: { image, audio, embeddedContext },
    can: {
      load: loadSession === true,
      resume: resume != null,
      list: list != null,
      delete: remove != null,
      close: close != null,
    },
    leftOut,
    newSession: async (cwd: string) => sessionOf(await agent.newSession({ cwd, ...setup })),
    reopenSession: async (sessionId: string, cwd: string, how: WayBack) =>
      sessionOf(await agent[`${how}Session`]({ sessionId, cwd, ...setup })),
    deleteSession: async (sessionId: string) => void (await agent.request("session/delete", { sessionId })),
    logOut: async () => void (await agent.request("logout", {})),
  };
  return adaptAgent(agent, own, (next) => agentOfVersion1(next, wanted));
}

export function toLogin({ type, id, name, description }: Received.AuthMethod): Login {
  return { id, name, description, takesTerminal: type === "terminal" };
}
