import { receiveSteering, steeringMeta } from "@acp/core/steering";
import type { AgentDefinition } from "@acp/core/v2";
import { type AgentSession, createAgent } from "@acp/core/v2/unstable";
import { listStored } from "@acp/sessions";
import type { AvailableCommand } from "@acp/schema/v2";

import { loginMethods } from "../../login/login-methods-v2.ts";
import type { CoderOptions } from "../coder-options.ts";
import type { Prompt } from "../commands/command.ts";
import { runPrompt } from "../prompt/run-prompt.ts";
import type { AgentSessions } from "../session/agent-sessions.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { recordShown, replayHistory } from "../session/history.ts";
import { openSession } from "../session/open-session.ts";
import { showCalls } from "../session/show-calls.ts";
import { createSettingsOfVersion2 } from "./settings.ts";

/**
 * The coder in version 2 of the protocol, which is a draft. A session runs one turn at a time; further prompts are queued.
 * Clients of this version cannot say that they show the sessions of subagents, so those work inside their tool calls.
 */
export function createAgentOfVersion2(coder: CoderOptions, store: AgentSessions): AgentDefinition {
  const { models, info, login } = coder;
  const settings = createSettingsOfVersion2(models);
  const takesImages = models.some((model) => model.takesImages);
  return createAgent({
    info,
    _meta: steeringMeta,
    ...(login === undefined ? {} : { authMethods: loginMethods }),
    capabilities: {
      session: {
        prompt: { ...(takesImages ? { image: {} } : {}), embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        additionalDirectories: {},
      },
    },
    session: (setup): Promise<CoderSession> => openSession(coder, store, 2, setup),
    // Includes what the user says: an accepted prompt is an update.
    onUpdate: (update, { state }) => void recordShown(state, update),
    handlers: {
      ...(login === undefined
        ? {}
        : { "auth/login": () => login.logIn("a guest"), "auth/logout": () => login.logOut() }),
      ...settings.handlers,
      "_session/steering": receiveSteering,
      "session/new": async (_, { session }) => {
        const setup = await settings.open(session);
        return { sessionId: session.id, ...setup, availableCommands: availableCommands(session.state) };
      },
      "session/resume": async ({ replayFrom }, { session }) => {
        if (replayFrom?.type === "start") await replayHistory(session.state, session, showCalls(session.cwd));
        const setup = await settings.open(session);
        return { ...setup, availableCommands: availableCommands(session.state) };
      },
      "session/fork": async (_, { session }) => {
        const setup = await settings.open(session);
        return { sessionId: session.id, ...setup, availableCommands: availableCommands(session.state) };
      },
      "session/list": (params) => listStored(store, params),
      "session/delete": ({ sessionId }) => store.delete(sessionId),
      "session/prompt": async ({ prompt }, { session, turn }) => {
        // Logging out keeps open sessions. They refuse prompts until somebody logs in again.
        await login?.check();
        await turn.accept();
        return runPrompt({
          coder,
          session: session.state,
          folders: session,
          turn,
          prompt: prompt as Prompt,
          announceCommands: () => announceCommands(session),
        });
      },
    },
  });
}

/** The slash commands of a session, as the answers that open it have them. */
function availableCommands({ commands }: CoderSession): AvailableCommand[] {
  return commands.map(({ name, description, hint }): AvailableCommand => {
    return { type: "command", name, description, ...(hint === undefined ? {} : { input: { type: "text", hint } }) };
  });
}

/** Tells the client the commands anew, when those from files have changed. */
async function announceCommands(session: AgentSession<CoderSession>): Promise<void> {
  const update = "available_commands_update";
  await session.update({ sessionUpdate: update, availableCommands: availableCommands(session.state) });
}
