import type { ContentBlock, SessionUpdate } from "@acp/schema/v1";

import type { Conversation } from "../conversation/conversation.ts";

/** Takes an update into the history as it is sent, if it is part of what was said and done. */
export function recordUpdate({ history }: Conversation<SessionUpdate>, update: SessionUpdate): void {
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

/** Takes a prompt of the user into the history: no update tells of it. */
export function recordPrompt({ history }: Conversation<SessionUpdate>, prompt: readonly ContentBlock[]): void {
  // Where nothing stands between two prompts, such as after one that was cancelled, the id keeps them apart.
  const isBehindAnother = history.at(-1)?.sessionUpdate === "user_message_chunk";
  const id = isBehindAnother ? { messageId: crypto.randomUUID() } : {};
  for (const content of prompt) history.push({ sessionUpdate: "user_message_chunk", ...id, content });
}
