import type { Received } from "@acp/schema/v2/unstable/types";
import { writeStateAsReceived } from "../../v2/foreground/write-state-as-received.ts";
import { applyPatch } from "../shared/patch.ts";
import { reduceItems } from "../shared/reduce-items.ts";
import { addChunk, updateMessage } from "./messages.ts";
import { applyPatchWithMeta, withTimeline } from "./place-item.ts";
import { removePlan, updatePlan } from "./plans.ts";
import type { AnyState, UsageState } from "./session-state.ts";
import { addTerminalOutput, updateTerminal } from "./terminals.ts";
import { addToolCallContent, updateToolCall } from "./tool-calls.ts";
import { updateForeground } from "./work.ts";

type Timeline = AnyState["timeline"];

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
      return updateForeground(state, writeStateAsReceived(foreground));
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
      return updatePlan(state, update);
    case "plan_removed":
      return removePlan(state, update);
    case "available_commands_update":
      return { ...state, commands: update.availableCommands };
    case "config_option_update":
      return { ...state, configOptions: update.configOptions };
    case "session_info_update": {
      const info = applyPatchWithMeta(state.info, update);
      return info === state.info ? state : { ...state, info };
    }
    case "usage_update": {
      const { used, size, cost, _meta = null } = update;
      return { ...state, usage: applyPatch<UsageState>(state.usage ?? { used, size }, { used, size, cost, _meta }) };
    }
    default:
      return withTimeline(
        state,
        reduceItems<Received.ContentBlock, Timeline>(state.timeline, update, applyPatchWithMeta),
      );
  }
}
