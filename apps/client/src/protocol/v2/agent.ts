import { listSessions } from "@acp/core/sessions";
import { canSteer } from "@acp/core/steering";
import type { ConnectedAgent } from "@acp/core/v2";
import type { SpawnedAgent } from "#runtime";
import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";

import type { Agent, Login } from "../agent.ts";
import { requireLogin } from "../with-login.ts";
import { fitSetup, noSetup, type SessionSetup } from "../session-setup.ts";
import { withHistory } from "../until-quiet.ts";
import { sessionOf } from "./session.ts";

/** Adapts an agent of version 2 to this program. */
export function agentOfVersion2(agent: SpawnedAgent<ConnectedAgent>, wanted: SessionSetup = noSetup): Agent {
  const { session } = agent.capabilities;
  const { setup, leftOut } = fitSetup(wanted, {
    transports: (["stdio", "http"] as const).filter((type) => session?.mcp?.[type] != null),
    directories: session?.additionalDirectories != null,
  });
  const { additionalDirectories: folders } = setup;
  const extras = {
    // This version has no servers over SSE.
    mcpServers: setup.mcpServers.flatMap((server) => (server.type === "sse" ? [] : [server])),
    ...(folders.length === 0 ? {} : { additionalDirectories: [...folders] }),
  };
  const wrapped: Agent = {
    version: agent.protocolVersion,
    info: agent.info,
    logins: toLogins(agent.authMethods),
    takes: {
      image: session?.prompt?.image != null,
      audio: session?.prompt?.audio != null,
      embeddedContext: session?.prompt?.embeddedContext != null,
    },
    can: {
      load: session != null,
      resume: session != null,
      list: session != null,
      delete: session?.delete != null,
      close: session != null,
      steer: canSteer(agent),
    },
    signal: agent.signal,
    leftOut,
    newSession: async (cwd) => sessionOf(await agent.newSession({ cwd, ...extras })),
    loadSession: async (sessionId, cwd) =>
      withHistory(
        sessionOf(await agent.resumeSession({ sessionId, cwd, replayFrom: { type: "start" }, ...extras })),
        true,
      ),
    resumeSession: async (sessionId, cwd) =>
      withHistory(sessionOf(await agent.resumeSession({ sessionId, cwd, ...extras })), false),
    deleteSession: async (sessionId) => void (await agent.request("session/delete", { sessionId })),
    listSessions: (cwd, signal) => listSessions(agent, { cwd, signal }),
    async logIn(loginId, signal) {
      requireLogin(wrapped.logins, loginId);
      const next = await agent.login(loginId, { signal });
      return next === agent ? wrapped : agentOfVersion2(next, wanted);
    },
    logOut: async () => void (await agent.request("auth/logout", {})),
    close: () => agent.close(),
  };
  return wrapped;
}

/** The login methods of known types. */
export function toLogins(methods: readonly Received.AuthMethod[]): Login[] {
  return methods.flatMap((method) => {
    if (method.type === unknownVariant) return [];
    const { type, methodId, name, description } = method;
    return [{ id: methodId, name, description, takesTerminal: type === "terminal" }];
  });
}
