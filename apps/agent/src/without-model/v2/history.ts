import type { SessionUpdate } from "@acp/schema/v2";

import type { Conversation } from "../conversation/conversation.ts";

/** Adds an update to the history if `session/resume` has to replay it. Accepted prompts are among the updates. */
export function recordUpdate({ history }: Conversation<SessionUpdate>, update: SessionUpdate): void {
  switch (update.sessionUpdate) {
    case "available_commands_update":
    case "config_option_update":
    case "session_info_update":
    case "usage_update":
    case "notice":
      // Not part of the conversation. The agent sends the current commands and options whenever a session is opened.
      break;
    default:
      history.push(update);
      break;
  }
}
