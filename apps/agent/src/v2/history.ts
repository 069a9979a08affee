import type { SessionUpdate } from "@acp/schema/v2";

import type { Conversation } from "../conversation/conversation.ts";

/** Takes an update into the history as it is sent, prompts of the user too, if it is part of what was said and done. */
export function recordUpdate({ history }: Conversation<SessionUpdate>, update: SessionUpdate): void {
  switch (update.sessionUpdate) {
    case "available_commands_update":
    case "config_option_update":
    case "session_info_update":
    case "usage_update":
    case "notice":
      // What still holds is told anew when a session is opened.
      break;
    default:
      history.push(update);
      break;
  }
}
