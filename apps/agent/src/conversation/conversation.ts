import { beginning } from "../beginning.ts";
import { type McpServers, noMcpServers } from "../mcp/mcp-servers.ts";
import type { ModeId } from "../modes.ts";

/** A conversation: what a session leaves behind, to be opened again later. `Update` is what its version tells. */
export interface Conversation<Update = unknown> {
  readonly id: string;
  cwd: string;
  /** The first prompt, shortened; `undefined` until there is one. */
  title: string | undefined;
  updatedAt: Date;
  mode: ModeId;
  /** The servers of the session that has it open. */
  mcp: McpServers;
  /** Every update of every turn in order, the user's prompts included (SESS-06). */
  readonly history: Update[];
}

export function createConversation<Update>(id: string, cwd: string): Conversation<Update> {
  return { id, cwd, title: undefined, updatedAt: new Date(), mode: "ask", mcp: noMcpServers, history: [] };
}

/** Notes that the user has said something. The first time it gives the conversation its title, and returns that. */
export function notePrompt(conversation: Conversation, text: string): string | undefined {
  conversation.updatedAt = new Date();
  if (conversation.title !== undefined) return undefined;
  conversation.title = shorten(text);
  return conversation.title;
}

function shorten(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length <= 60 ? line : `${beginning(line, 59)}…`;
}
