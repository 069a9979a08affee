import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v1/unstable/types";
import { addSummaryChunk, updateCompaction } from "./compactions.ts";
import { addChunk } from "./messages.ts";
import { patched, updated } from "../shared/patch.ts";
import { removePlan, setPlan, updatePlan } from "./plans.ts";
import type { AnyState } from "./session-state.ts";
import { addSessionMessageChunk, updateSessionMessage, updateSubagent } from "./subagents.ts";
import type { NoticeItem } from "./timeline-items.ts";
import { updateToolCall } from "./tool-calls.ts";

/** The state after an update. */
export function reduceUpdate(state: AnyState, update: Received.SessionUpdate): AnyState {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return addChunk(state, "user_message", update);
    case "agent_message_chunk":
      return addChunk(state, "agent_message", update);
    case "agent_thought_chunk":
      return addChunk(state, "agent_thought", update);
    case "tool_call":
    case "tool_call_update":
      return updateToolCall(state, update);
    case "plan":
      return setPlan(state, update);
    case "plan_update":
      return updatePlan(state, update);
    case "plan_removed":
      return removePlan(state, update);
    case "available_commands_update":
      return { ...state, commands: update.availableCommands };
    case "current_mode_update":
      return setMode(state, update.currentModeId);
    case "config_option_update":
      return { ...state, configOptions: update.configOptions };
    case "session_info_update": {
      const info = patched(state.info, update);
      return info === state.info ? state : { ...state, info };
    }
    case "usage_update": {
      const { sessionUpdate: _, ...usage } = update;
      return { ...state, usage };
    }
    case "notice": {
      const { severity, title } = update;
      return {
        ...state,
        timeline: state.timeline.append(updated<NoticeItem>({ type: "notice", severity, title }, update)),
      };
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

/** The session is in another mode, whether the client or the agent changed it. */
export function setMode(state: AnyState, currentModeId: string): AnyState {
  const { modes } = state;
  // Without modes there is nothing to choose from: an empty selector would only be in the way.
  if (modes === undefined || modes.currentModeId === currentModeId) return state;
  return { ...state, modes: { ...modes, currentModeId } };
}
