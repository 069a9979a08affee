import type { ContentBlock, SessionUpdate } from "@acp/schema/v1";

import { type McpServers, noMcpServers } from "../mcp/mcp-servers.ts";
import type { ModeId } from "../settings.ts";

/** A conversation: what a session leaves behind, to be loaded again later. */
export interface Conversation {
  readonly id: string;
  cwd: string;
  /** The first prompt, shortened; `undefined` until there is one. */
  title: string | undefined;
  updatedAt: Date;
  mode: ModeId;
  /** The servers of the session that has it open. */
  mcp: McpServers;
  /** Every update of every turn in order, the user's prompts included (SESS-06). */
  readonly history: SessionUpdate[];
}

export function createConversation(id: string, cwd: string): Conversation {
  return { id, cwd, title: undefined, updatedAt: new Date(), mode: "ask", mcp: noMcpServers, history: [] };
}

/** Takes an update into the history as it is sent, if it is part of what was said and done. */
export function recordUpdate({ history }: Conversation, update: SessionUpdate): void {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "tool_call":
    case "tool_call_update":
    case "plan":
      history.push(update);
      break;
    default:
      // Commands, modes and titles are told anew when a session is opened.
      break;
  }
}

/** Takes a prompt of the user into the history; `text` is what it says. */
export function recordPrompt(conversation: Conversation, prompt: readonly ContentBlock[], text: string): void {
  const { history } = conversation;
  // Where nothing stands between two prompts, such as after one that was cancelled, the id keeps them apart.
  const isBehindAnother = history.at(-1)?.sessionUpdate === "user_message_chunk";
  const id = isBehindAnother ? { messageId: crypto.randomUUID() } : {};
  for (const content of prompt) history.push({ sessionUpdate: "user_message_chunk", ...id, content });
  conversation.updatedAt = new Date();
  conversation.title ??= shorten(text);
}

function shorten(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
