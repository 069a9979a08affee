import type { SessionUpdate } from "@acp/schema/v1";

import type { ModeId } from "../modes.ts";

/** A conversation: what a session leaves behind, to be loaded again later. */
export interface Conversation {
  readonly id: string;
  cwd: string;
  /** The first prompt, shortened; `undefined` until there is one. */
  title: string | undefined;
  updatedAt: Date;
  mode: ModeId;
  /** Every update of every turn in order, the user's prompts included (SESS-06). */
  readonly history: SessionUpdate[];
  /** How many ids were given to messages and tool calls; ids stay unique when it is loaded again (TOOL-02). */
  idCount: number;
}

export function createConversation(id: string, cwd: string): Conversation {
  return { id, cwd, title: undefined, updatedAt: new Date(), mode: "ask", history: [], idCount: 0 };
}

/** An id that no other message or tool call of the conversation has. */
export function nextId(conversation: Conversation, kind: "message" | "call"): string {
  conversation.idCount += 1;
  return `${kind}-${conversation.idCount}`;
}

/** Takes a prompt of the user into the history. */
export function recordPrompt(conversation: Conversation, text: string): void {
  const messageId = nextId(conversation, "message");
  conversation.history.push({ sessionUpdate: "user_message_chunk", messageId, content: { type: "text", text } });
  conversation.updatedAt = new Date();
  if (conversation.title === undefined) conversation.title = shorten(text);
}

function shorten(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}
