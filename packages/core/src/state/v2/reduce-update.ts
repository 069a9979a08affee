import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/unstable/types";
import { patched, updated } from "../shared/patch.ts";
import { addSummaryChunk, updateCompaction } from "./compactions.ts";
import { updateForeground } from "./foreground.ts";
import { addChunk, updateMessage } from "./messages.ts";
import { merged } from "./place-item.ts";
import { removePlan, updatePlan } from "./plans.ts";
import type { AnyState, UsageState } from "./session-state.ts";
import { addSessionMessageChunk, updateSessionMessage, updateSubagent } from "./subagents.ts";
import { addTerminalOutput, updateTerminal } from "./terminals.ts";
import type { NoticeItem } from "./timeline-items.ts";
import { addToolCallContent, updateToolCall } from "./tool-calls.ts";

/** The state after an update. */
export function reduceUpdate(state: AnyState, update: Received.SessionUpdate): AnyState {
  switch (update.sessionUpdate) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return updateMessage(state, update.sessionUpdate, update);
    case "user_message_chunk":
      return addChunk(state, "user_message", update);
    case "agent_message_chunk":
      return addChunk(state, "agent_message", update);
    case "agent_thought_chunk":
      return addChunk(state, "agent_thought", update);
    case "state_update": {
      const { sessionUpdate: _, ...foreground } = update;
      return updateForeground(state, foreground);
    }
    case "tool_call_update":
      return updateToolCall(state, update);
    case "tool_call_content_chunk":
      return addToolCallContent(state, update);
    case "terminal_update":
      return updateTerminal(state, update);
    case "terminal_output_chunk":
      return addTerminalOutput(state, update);
    case "plan_update":
      return updatePlan(state, update) ?? addUnknown(state, { ...update });
    case "plan_removed":
      return removePlan(state, update);
    case "available_commands_update":
      return { ...state, commands: update.availableCommands };
    case "config_option_update":
      return { ...state, configOptions: update.configOptions };
    case "session_info_update": {
      const info = merged(state.info, update);
      return info === state.info ? state : { ...state, info };
    }
    case "usage_update": {
      const { used, size, cost, _meta = null } = update;
      return { ...state, usage: patched<UsageState>(state.usage ?? { used, size }, { used, size, cost, _meta }) };
    }
    case "notice": {
      const { severity, title } = update;
      const notice = updated<NoticeItem>({ type: "notice", severity, title }, update);
      return { ...state, timeline: state.timeline.append(notice) };
    }
    case "compaction_update":
      return updateCompaction(state, update);
    case "compaction_summary_chunk":
      return addSummaryChunk(state, update);
    case "subagent_update":
      return updateSubagent(state, update);
    case "session_message":
      return updateSessionMessage(state, update);
    case "session_message_chunk":
      return addSessionMessageChunk(state, update);
    case unknownVariant:
      return addUnknown(state, update.received);
    default:
      update satisfies never;
      return addRecorded(state, update);
  }
}

function addUnknown(state: AnyState, received: Readonly<Record<string, unknown>>): AnyState {
  return { ...state, timeline: state.timeline.append({ type: "unknown", received }) };
}

/** Takes in an update that comes from a record: JSON has no symbols, and a later version may have known its kind. */
function addRecorded(state: AnyState, update: Readonly<Record<string, unknown>>): AnyState {
  const { sessionUpdate, received } = update;
  const isUnmarked = sessionUpdate === undefined && typeof received === "object" && received !== null;
  return addUnknown(state, isUnmarked ? { ...received } : update);
}
