import type { Received } from "@acp/schema/v1/unstable/types";
import { applyPatch } from "../shared/patch.ts";
import { reduceItems } from "../shared/reduce-items.ts";
import { addChunk } from "./messages.ts";
import { withTimeline } from "./place-item.ts";
import { removePlan, setPlan, updatePlan } from "./plans.ts";
import type { AnyState } from "./session-state.ts";
import { cancelAllToolCalls, updateToolCall } from "./tool-calls.ts";
import { wasCutElsewhere } from "./turn-elsewhere.ts";

type Timeline = AnyState["timeline"];

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
      const info = applyPatch(state.info, update);
      if (info === state.info) return state;
      const told = { ...state, info };
      return wasCutElsewhere(state.info, info) ? cancelAllToolCalls(told) : told;
    }
    case "usage_update": {
      const { sessionUpdate: _, ...usage } = update;
      return { ...state, usage };
    }
    default:
      return withTimeline(state, reduceItems<Received.ContentBlock, Timeline>(state.timeline, update, applyPatch));
  }
}

/** The session is in another mode, whether the client or the agent changed it. */
export function setMode(state: AnyState, currentModeId: string): AnyState {
  const { modes } = state;
  // Without modes there is nothing to choose from.
  if (modes === undefined || modes.currentModeId === currentModeId) return state;
  return { ...state, modes: { ...modes, currentModeId } };
}
