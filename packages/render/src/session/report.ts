import type { Received as V1 } from "@acp/schema/v1";
import type { Received as V2 } from "@acp/schema/v2";

import type { Report, Speaker } from "../shown.ts";

/**
 * Converts an update of either version to a report; `undefined` if the transcript does not show it. The transcript reads titles,
 * options and usage from the state, a turn of version 2 reads how it goes from there, and diagnostics have unknown updates.
 */
export function toReport(update: V1.SessionUpdate | V2.SessionUpdate): Report | undefined {
  switch (update.sessionUpdate) {
    case "user_message":
    case "agent_message":
    case "agent_thought": {
      const { messageId, content } = update;
      const speaker = speakers[update.sessionUpdate];
      // A message without content keeps its earlier content.
      return content === undefined
        ? undefined
        : { kind: "message", speaker, messageId, content: content ?? [], isWhole: true };
    }
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const { messageId, content } = update;
      return { kind: "message", speaker: speakers[update.sessionUpdate], messageId, content: [content] };
    }
    case "tool_call":
    case "tool_call_update":
    case "tool_call_content_chunk":
      return { kind: "call", toolCallId: update.toolCallId };
    case "terminal_update": {
      const { terminalId, command, output, exitStatus } = update;
      return {
        kind: "terminal",
        terminalId,
        command,
        ...(output == null ? {} : { output: bytesOf(output.data), isWhole: true }),
        exit: exitStatus ?? undefined,
      };
    }
    case "terminal_output_chunk":
      return { kind: "terminal", terminalId: update.terminalId, output: bytesOf(update.data) };
    case "plan":
    case "plan_update":
      return { kind: "plan" };
    case "available_commands_update":
      return { kind: "commands" };
    case "current_mode_update":
      return { kind: "mode", mode: update.currentModeId };
    case "notice":
      return { kind: "notice", title: update.title, description: update.description };
    case "compaction_update":
      return { kind: "compaction", status: String(update.status ?? "") };
    default:
      return undefined;
  }
}

/** Who speaks in a message, in both versions. */
export const speakers: Readonly<
  Record<`${"user" | "agent"}_message${"" | "_chunk"}` | `agent_thought${"" | "_chunk"}`, Speaker>
> = {
  user_message: "user",
  user_message_chunk: "user",
  agent_message: "agent",
  agent_message_chunk: "agent",
  agent_thought: "thought",
  agent_thought_chunk: "thought",
};

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
