import { type McpServers, noMcpServers } from "../../mcp/mcp-servers.ts";
import type { ModeId } from "../modes.ts";
import { truncateText } from "../../truncate-text.ts";

/** What the agent keeps of a session, so that clients can list it and open it again. `Update` is the session update of its version. */
export interface Conversation<Update = unknown> {
  readonly id: string;
  cwd: string;
  /** The first line of the first prompt, shortened; `undefined` before it. */
  title: string | undefined;
  updatedAt: Date;
  mode: ModeId;
  /** The MCP servers of the session that opened the conversation last. */
  mcp: McpServers;
  /** All updates and prompts to replay, in order (SESS-06). */
  readonly history: Update[];
}

export function createConversation<Update>(id: string, cwd: string): Conversation<Update> {
  return { id, cwd, title: undefined, updatedAt: new Date(), mode: "ask", mcp: noMcpServers, history: [] };
}

/** Updates what `session/list` shows after a prompt. The first prompt gives the title: then returns it, else `undefined`. */
export function updateSessionInfo(conversation: Conversation, prompt: string): string | undefined {
  conversation.updatedAt = new Date();
  if (conversation.title !== undefined) return undefined;
  conversation.title = shorten(prompt);
  return conversation.title;
}

function shorten(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length <= 60 ? line : `${truncateText(line, 59)}…`;
}
