import type { Received } from "@acp/schema/v1";

import type { Speaker, Report } from "../shown.ts";

/** What an update tells the user; `undefined` if nothing: what is not known reaches the diagnostics. */
export function toReport(update: Received.SessionUpdate): Report | undefined {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return toMessage("user", update);
    case "agent_message_chunk":
      return toMessage("agent", update);
    case "agent_thought_chunk":
      return toMessage("thought", update);
    case "tool_call":
    case "tool_call_update":
      return { kind: "call", toolCallId: update.toolCallId };
    case "plan":
      return { kind: "plan" };
    case "available_commands_update":
      return { kind: "commands" };
    case "current_mode_update":
      return { kind: "mode", mode: update.currentModeId };
    case "notice":
      return { kind: "notice", title: update.title, description: update.description };
    case "compaction_update":
      return { kind: "compaction", status: update.status };
    default:
      // Titles, options and usage are not part of what is said.
      return undefined;
  }
}

function toMessage(speaker: Speaker, { messageId, content }: Received.ContentChunk): Report {
  return { kind: "message", speaker, messageId, content: [content] };
}
