import type { ConnectedAgent } from "@acp/core/v2";
import type { SpawnedAgent } from "#runtime";
import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";

import { adaptAgent } from "../adapt-agent.ts";
import type { Agent, Login, WayBack } from "../agent.ts";
import { fitSetup, noSetup, type SessionSetup } from "../session-setup.ts";
import { sessionOf } from "./session.ts";

export function agentOfVersion2(agent: SpawnedAgent<ConnectedAgent>, wanted: SessionSetup = noSetup): Agent {
  const { session } = agent.capabilities;
  const isOffered = session != null;
  const { mcpServers, directories, leftOut } = fitSetup(wanted, {
    transports: (["stdio", "http"] as const).filter((type) => session?.mcp?.[type] != null),
    directories: session?.additionalDirectories != null,
  });
  // This version has no servers over SSE.
  const setup = { mcpServers: mcpServers.flatMap((one) => (one.type === "sse" ? [] : [one])), ...directories };
  const own = {
    logins: toLogins(agent.authMethods),
    takes: {
      image: session?.prompt?.image != null,
      audio: session?.prompt?.audio != null,
      embeddedContext: session?.prompt?.embeddedContext != null,
    },
    can: { load: isOffered, resume: isOffered, list: isOffered, delete: session?.delete != null, close: isOffered },
    leftOut,
    newSession: async (cwd: string) => sessionOf(await agent.newSession({ cwd, ...setup })),
    reopenSession: async (sessionId: string, cwd: string, how: WayBack) => {
      const history = how === "load" ? ({ replayFrom: { type: "start" } } as const) : {};
      return sessionOf(await agent.resumeSession({ sessionId, cwd, ...history, ...setup }));
    },
    deleteSession: async (sessionId: string) => void (await agent.request("session/delete", { sessionId })),
    logOut: async () => void (await agent.request("auth/logout", {})),
  };
  return adaptAgent(agent, own, (next) => agentOfVersion2(next, wanted));
}

/** The login methods of known types. */
export function toLogins(methods: readonly Received.AuthMethod[]): Login[] {
  return methods.flatMap((method) => {
    if (method.type === unknownVariant) return [];
    const { type, methodId, name, description } = method;
    return [{ id: methodId, name, description, takesTerminal: type === "terminal" }];
  });
}
