import type { Received } from "@acp/schema/v1";

import type { Speaker, Report } from "../shown.ts";

/** Converts an update to a report; `undefined` if the transcript does not show it. Diagnostics have unknown updates. */
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
      // The transcript reads titles, options and usage from the state.
      return undefined;
  }
}

function toMessage(speaker: Speaker, { messageId, content }: Received.ContentChunk): Report {
  return { kind: "message", speaker, messageId, content: [content] };
}
