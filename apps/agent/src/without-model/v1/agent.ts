import { type AgentDefinition, type AgentSession, createAgent } from "@acp/core";
import { sendSessionInfo } from "@acp/core/agent";
import type { AvailableCommand, SessionUpdate } from "@acp/schema/v1";

import type { ReferenceAgentOptions } from "../reference-agent-options.ts";
import { type Conversation, updateSessionInfo } from "../conversation/conversation.ts";
import { ConversationStore } from "../conversation/conversation-store.ts";
import { promptText, runPrompt } from "../instructions/prompt.ts";
import { connectMcpServers } from "../../mcp/mcp-servers.ts";
import { recordPrompt, recordUpdate } from "./history.ts";
import { loginMethods } from "../../login/login-methods-v1.ts";
import { settings } from "./settings.ts";
import { createTask } from "./task.ts";
import { instructions } from "../instructions/index.ts";

type StoredConversation = Conversation<SessionUpdate>;

/** Creates the reference agent in version 1. */
export function createAgentOfVersion1({ info, pace, login }: ReferenceAgentOptions): AgentDefinition {
  const store = new ConversationStore<SessionUpdate>();
  return createAgent({
    info,
    ...(login === undefined ? {} : { authMethods: loginMethods }),
    capabilities: { mcpCapabilities: { http: true, sse: true } },
    session: async ({
      method,
      sessionId,
      cwd,
      additionalDirectories,
      mcpServers,
      signal,
    }): Promise<StoredConversation> => {
      await login?.check();
      const conversation = method === "session/new" ? store.create(sessionId, cwd) : store.reopen(sessionId, cwd);
      conversation.mcp = connectMcpServers(mcpServers, { cwd, directories: [cwd, ...additionalDirectories], signal });
      return conversation;
    },
    onUpdate: (update, session) => recordUpdate(session.state, update),
    handlers: {
      ...(login === undefined ? {} : { authenticate: () => login.logIn("a guest"), logout: () => login.logOut() }),
      ...settings.handlers,
      "session/new": (_, { session }) => {
        sendCommandsLater(session);
        return { sessionId: session.id, ...settings.open(session) };
      },
      "session/load": async (_, { session }) => {
        for (const update of session.state.history) {
          // Waits for each update, so that the replay is no faster than the client reads.
          await session.update(update);
        }
        await sendCommands(session);
        return settings.open(session, { mode: session.state.mode });
      },
      "session/resume": async (_, { session }) => {
        await sendCommands(session);
        return settings.open(session, { mode: session.state.mode });
      },
      "session/list": ({ cwd, cursor }) => store.list(cwd, cursor),
      "session/close": () => ({}),
      "session/delete": ({ sessionId }) => store.delete(sessionId),
      "session/prompt": async ({ prompt }, context) => {
        const { session } = context;
        // Logging out keeps open sessions. They refuse prompts until somebody logs in again (AUTH-19).
        await login?.check();
        const text = promptText(prompt);
        recordPrompt(session.state, prompt);
        const title = updateSessionInfo(session.state, text);
        if (title !== undefined) await sendSessionInfo(session, { title });
        await runPrompt(text, createTask(context, pace));
        return { stopReason: "end_turn" };
      },
    },
  });
}

/** Sends the slash commands. An agent that opens an existing session does so before its answer: the client knows the session. */
function sendCommands(session: AgentSession<Conversation>): Promise<void> {
  return session.update({ sessionUpdate: "available_commands_update", availableCommands });
}

/** Sends the slash commands after the answer to `session/new`: some clients discard updates of sessions they do not know (CMD-01). */
function sendCommandsLater(session: AgentSession<Conversation>): void {
  setTimeout(() => {
    if (session.signal.aborted) return;
    sendCommands(session).catch(() => {
      // The client has disconnected.
    });
  }, 0);
}

/** All instructions as slash commands (CMD-02). */
const availableCommands: AvailableCommand[] = instructions.map(({ name, summary, hint }) => ({
  name,
  description: summary,
  ...(hint === undefined ? {} : { input: { hint } }),
}));
