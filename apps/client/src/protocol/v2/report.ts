import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";

import type { Speaker, Report } from "../shown.ts";

/** Converts an update to a report; `undefined` if the transcript does not show it. Diagnostics have unknown updates. */
export function toReport(update: Received.SessionUpdate): Report | undefined {
  switch (update.sessionUpdate) {
    case "user_message":
      return toWholeMessage("user", update);
    case "agent_message":
      return toWholeMessage("agent", update);
    case "agent_thought":
      return toWholeMessage("thought", update);
    case "user_message_chunk":
      return toMessage("user", update);
    case "agent_message_chunk":
      return toMessage("agent", update);
    case "agent_thought_chunk":
      return toMessage("thought", update);
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
    case "plan_update":
      return { kind: "plan" };
    case "available_commands_update":
      return { kind: "commands" };
    case "notice":
      return { kind: "notice", title: update.title, description: update.description };
    case "compaction_update":
      return { kind: "compaction", status: String(update.status ?? "") };
    default:
      // The turn reads the session's state; the transcript reads titles, options and usage.
      return undefined;
  }
}

/** The option that version 1 calls the mode. */
export function modeOf(options: readonly Received.SessionConfigOption[] | undefined): ModeOption | undefined {
  const option = options?.find(({ category }) => category === "mode");
  return option === undefined || option.type === unknownVariant ? undefined : option;
}

type ModeOption = Exclude<Received.SessionConfigOption, { readonly type: typeof unknownVariant }>;

function toMessage(speaker: Speaker, { messageId, content }: Received.ContentChunk): Report {
  return { kind: "message", speaker, messageId, content: [content] };
}

/** A message without content keeps its earlier content. */
function toWholeMessage(speaker: Speaker, { messageId, content }: Received.AgentMessage): Report | undefined {
  if (content === undefined) return undefined;
  return { kind: "message", speaker, messageId, content: content ?? [], isWhole: true };
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
