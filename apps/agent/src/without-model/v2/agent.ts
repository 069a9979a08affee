import { type AgentDefinition, createAgent } from "@acp/core/v2";
import { sendSessionInfo } from "@acp/core/v2/agent";
import type { AvailableCommand, SessionUpdate } from "@acp/schema/v2";

import type { ReferenceAgentOptions } from "../reference-agent-options.ts";
import { type Conversation, updateSessionInfo } from "../conversation/conversation.ts";
import { ConversationStore } from "../conversation/conversation-store.ts";
import { promptText, runPrompt } from "../instructions/prompt.ts";
import { connectMcpServers } from "../../mcp/mcp-servers.ts";
import { recordUpdate } from "./history.ts";
import { loginMethods } from "../../login/login-methods-v2.ts";
import { settings } from "./settings.ts";
import { createTask } from "./task.ts";
import { instructions } from "../instructions/index.ts";

type StoredConversation = Conversation<SessionUpdate>;

/** Creates the reference agent in version 2, which is a draft. */
export function createAgentOfVersion2({ info, pace, login }: ReferenceAgentOptions): AgentDefinition {
  const store = new ConversationStore<SessionUpdate>();
  return createAgent({
    info,
    ...(login === undefined ? {} : { authMethods: loginMethods }),
    capabilities: { session: { mcp: { stdio: {}, http: {} } } },
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
    // Includes the messages of the user: `accept()` sends them as updates.
    onUpdate: (update, session) => recordUpdate(session.state, update),
    // A session runs one turn at a time. Further prompts are queued.
    handlers: {
      ...(login === undefined
        ? {}
        : { "auth/login": () => login.logIn("a guest"), "auth/logout": () => login.logOut() }),
      ...settings.handlers,
      "session/new": (_, { session }) => ({ sessionId: session.id, ...settings.open(session), availableCommands }),
      "session/resume": async ({ replayFrom }, { session }) => {
        if (replayFrom?.type === "start") {
          for (const update of session.state.history) {
            // Waits for each update, so that the replay is no faster than the client reads.
            await session.update(update);
          }
        }
        return { ...settings.open(session, { mode: session.state.mode }), availableCommands };
      },
      "session/list": ({ cwd, cursor }) => store.list(cwd, cursor),
      "session/delete": ({ sessionId }) => store.delete(sessionId),
      "session/prompt": async ({ prompt }, context) => {
        const { session, turn } = context;
        // Logging out keeps open sessions. They refuse prompts until somebody logs in again.
        await login?.check();
        await turn.accept();
        const text = promptText(prompt);
        const title = updateSessionInfo(session.state, text);
        if (title !== undefined) await sendSessionInfo(turn, { title });
        await runPrompt(text, createTask(context, pace));
        return { stopReason: "end_turn" };
      },
    },
  });
}

/** All instructions as slash commands. */
const availableCommands: AvailableCommand[] = instructions.map(({ name, summary, hint }) => ({
  type: "command",
  name,
  description: summary,
  ...(hint === undefined ? {} : { input: { type: "text", hint } }),
}));
