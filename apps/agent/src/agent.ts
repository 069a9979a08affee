import { type AgentDefinition, type AgentSession, createAgent } from "@acp/core";
import { sendSessionInfo } from "@acp/core/agent";
import type { StopReason } from "@acp/schema/v1";

import { type Conversation, recordPrompt, recordUpdate } from "./conversation/conversation.ts";
import { ConversationStore } from "./conversation/conversation-store.ts";
import { availableCommands } from "./instructions/index.ts";
import { promptText, understand } from "./instructions/understand.ts";
import type { LoginFile } from "./login/login-file.ts";
import { loginMethods } from "./login/login-methods.ts";
import { connectMcpServers } from "./mcp/mcp-servers.ts";
import { settings } from "./settings.ts";
import { createTask, type Task } from "./task.ts";

export interface ReferenceAgentOptions {
  /** Milliseconds between two pieces of text, as if a model wrote them. Default: 15. */
  readonly pace?: number;
  /** Where logins are remembered. Without it nobody has to log in. */
  readonly login?: LoginFile;
}

/**
 * The reference agent: repairs small mistakes in JavaScript projects, reads, writes, runs and searches.
 * It needs no model and no network, and remembers its sessions as long as its process lives.
 */
export function createReferenceAgent({ pace = 15, login }: ReferenceAgentOptions = {}): AgentDefinition {
  const store = new ConversationStore();
  return createAgent({
    info: { name: "reference-agent", title: "Reference agent", version: "1.0.0" },
    ...(login === undefined ? {} : { authMethods: loginMethods }),
    capabilities: { mcpCapabilities: { http: true } },
    session: async ({ method, sessionId, cwd, mcpServers, signal }): Promise<Conversation> => {
      await login?.check();
      const conversation = method === "session/new" ? store.create(sessionId, cwd) : store.reopen(sessionId, cwd);
      conversation.mcp = connectMcpServers(mcpServers, { cwd, signal });
      return conversation;
    },
    onUpdate: (update, session) => recordUpdate(session.state, update),
    handlers: {
      ...(login === undefined ? {} : { authenticate: () => login.logIn("a guest"), logout: () => login.logOut() }),
      ...settings.handlers,
      "session/new": (_, { session }) => {
        announceCommands(session);
        return { sessionId: session.id, ...settings.open(session) };
      },
      "session/load": async (_, { session }) => {
        for (const update of session.state.history) {
          // In order, and no faster than the client reads.
          await session.update(update);
        }
        announceCommands(session);
        return settings.open(session, { mode: session.state.mode });
      },
      "session/resume": (_, { session }) => {
        announceCommands(session);
        return settings.open(session, { mode: session.state.mode });
      },
      "session/list": ({ cwd, cursor }) => store.list(cwd, cursor),
      "session/close": () => ({}),
      "session/delete": ({ sessionId }) => store.delete(sessionId),
      "session/prompt": async ({ prompt }, context) => {
        const { session } = context;
        // Sessions that were open when somebody logged out go on after the next login (AUTH-19).
        await login?.check();
        const text = promptText(prompt);
        const isFirst = session.state.title === undefined;
        recordPrompt(session.state, prompt, text);
        if (isFirst) await sendSessionInfo(session, { title: session.state.title });
        return { stopReason: await follow(text, createTask(context, pace)) };
      },
    },
  });
}

/** Does what a prompt says, or explains what it could say. */
async function follow(text: string, task: Task): Promise<StopReason> {
  const understood = understand(text);
  if (understood === undefined) {
    await task.say(
      "I have no language model, so I only understand instructions that begin with a word I know. /help lists them.",
    );
    return "end_turn";
  }
  return (await understood.instruction.run(understood.rest, task)) ?? "end_turn";
}

/** After the answer that opens the session: some clients drop updates of sessions they do not know yet (CMD-01). */
function announceCommands(session: AgentSession<Conversation>): void {
  setTimeout(() => {
    if (session.signal.aborted) return;
    session
      .update({ sessionUpdate: "available_commands_update", availableCommands: [...availableCommands] })
      .catch(() => {
        // It could not be sent: the client has gone.
      });
  }, 0);
}
