import type { AgentDefinition } from "@acp/core";
import { receiveSteering, steeringMeta } from "@acp/core/steering";
import { type AgentSession, createAgent, type SessionUpdate } from "@acp/core/unstable";
import { listStored } from "@acp/sessions";
import type { AvailableCommand } from "@acp/schema/v1";

import { loginMethods } from "../../login/login-methods-v1.ts";
import type { CoderOptions } from "../coder-options.ts";
import { runPrompt } from "../prompt/run-prompt.ts";
import type { AgentSessions } from "../session/agent-sessions.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { recordSaid, recordShown, replayHistory } from "../session/history.ts";
import { openSession } from "../session/open-session.ts";
import { showCalls } from "../session/show-calls.ts";
import { createSettingsOfVersion1 } from "./settings.ts";
import { openSubagentSession } from "./subagent-turn.ts";

/** The coder in version 1 of the protocol, with the unstable parts that clients may take: subagents, and forks of sessions. */
export function createAgentOfVersion1(coder: CoderOptions, store: AgentSessions): AgentDefinition {
  const { models, info, login } = coder;
  const settings = createSettingsOfVersion1(models);
  return createAgent({
    info,
    _meta: steeringMeta,
    ...(login === undefined ? {} : { authMethods: loginMethods }),
    capabilities: {
      promptCapabilities: { image: models.some(({ takesImages }) => takesImages), embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { additionalDirectories: {} },
    },
    session: (setup): Promise<CoderSession> => openSession(coder, store, 1, setup),
    onUpdate: (update, { state, client }) =>
      void recordShown(state, client.capabilities.terminal === true ? withoutTerminals(update) : update),
    handlers: {
      ...(login === undefined ? {} : { authenticate: () => login.logIn("a guest"), logout: () => login.logOut() }),
      ...settings.handlers,
      "_session/steering": receiveSteering,
      "session/new": async (_, { session }) => {
        const setup = await settings.open(session);
        announceLater(session);
        return { sessionId: session.id, ...setup };
      },
      "session/load": async (_, { session }) => {
        await replayHistory(session.state, session, showCalls(session.cwd));
        await announceCommands(session);
        return settings.open(session);
      },
      "session/resume": async (_, { session }) => {
        await announceCommands(session);
        return settings.open(session);
      },
      "session/fork": async (_, { session }) => {
        const setup = await settings.open(session);
        announceLater(session);
        return { sessionId: session.id, ...setup };
      },
      "session/list": (params) => listStored(store, params),
      "session/close": () => ({}),
      "session/delete": ({ sessionId }) => store.delete(sessionId),
      "session/prompt": async ({ prompt }, context) => {
        const { session, turn } = context;
        // Logging out keeps open sessions. They refuse prompts until somebody logs in again (AUTH-19).
        await login?.check();
        await recordSaid(session.state, prompt);
        return runPrompt({
          coder,
          session: session.state,
          folders: session,
          turn,
          prompt,
          announceCommands: () => announceCommands(session),
          openSubagent: (title, signal) => openSubagentSession(context, title, signal),
        });
      },
    },
  });
}

/** An update as a later client can be shown it: the terminals in it were those of this client. */
function withoutTerminals(update: SessionUpdate): SessionUpdate {
  if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return update;
  if (update.content == null) return update;
  return { ...update, content: update.content.filter(({ type }) => type !== "terminal") };
}

/** Tells the client the slash commands of a session that it knows. */
async function announceCommands(session: AgentSession<CoderSession>): Promise<void> {
  const availableCommands = session.state.commands.map(({ name, description, hint }): AvailableCommand => {
    return { name, description, ...(hint === undefined ? {} : { input: { hint } }) };
  });
  await session.update({ sessionUpdate: "available_commands_update", availableCommands });
}

/** Does the same for a session that is being created: the commands follow the answer (CMD-01), so nobody can wait for it. */
function announceLater(session: AgentSession<CoderSession>): void {
  announceCommands(session).catch(() => {
    // The client has disconnected.
  });
}
