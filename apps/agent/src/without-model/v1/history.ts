import type { ContentBlock, SessionUpdate } from "@acp/schema/v1";

import type { Conversation } from "../conversation/conversation.ts";

/** Adds an update to the history if `session/load` has to replay it. */
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
      // The agent sends the current commands, mode and title whenever a session is opened.
      break;
  }
}

/** Adds a prompt to the history. In version 1 no update announces prompts, so {@link recordUpdate} does not see them. */
export function recordPrompt({ history }: Conversation<SessionUpdate>, prompt: readonly ContentBlock[]): void {
  // After a cancelled prompt there may be no update in between. A message id then keeps the two prompts apart.
  const followsUserMessage = history.at(-1)?.sessionUpdate === "user_message_chunk";
  const id = followsUserMessage ? { messageId: crypto.randomUUID() } : {};
  for (const content of prompt) history.push({ sessionUpdate: "user_message_chunk", ...id, content });
}
