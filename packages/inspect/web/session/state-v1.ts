import {
  describeQuestion,
  initialState,
  reduceSession,
  type SessionEvent,
  type SessionState as State,
  terminalText,
} from "@acp/core/state";
import { withShownContent } from "@acp/render";
import { showContent } from "@acp/render/session";
import { decode } from "@acp/schema";
import {
  decodeContentBlock,
  decodeLoadSessionResponse,
  decodePromptResponse,
  decodeRequestPermissionRequest,
  decodeSessionNotification,
  decodeSetSessionConfigOptionResponse,
} from "@acp/schema/v1";

import { membersOf } from "../snippet.ts";
import type { SessionState } from "./session-state.ts";
import type { Step } from "./step.ts";

/** The state of a session of version 1. */
export function startV1(state: State = initialState()): SessionState {
  const self: SessionState = {
    shown: state,
    terminals: () =>
      new Map(
        [...state.terminals].map(({ terminalId, output, exitStatus }) => [
          terminalId,
          { command: "", output: terminalText(output), exit: exitStatus },
        ]),
      ),
    next(step) {
      const event = eventOf(step);
      const next = event === undefined ? state : reduceSession(state, event);
      return next === state ? self : startV1(next);
    },
    ask(params) {
      const read = decode(decodeRequestPermissionRequest, params);
      if (!read.ok) return undefined;
      const { toolCall, options } = read.value;
      const asked = describeQuestion({ toolCall }, state.timeline.find("tool_call", toolCall.toolCallId));
      return { asked: withShownContent(asked, (content) => showContent(content)), options };
    },
  };
  return self;
}

function eventOf({ kind, method, params, body, turn }: Step): SessionEvent | undefined {
  const key = `${method} ${kind}`;
  switch (key) {
    case "session/update notification": {
      const read = decode(decodeSessionNotification, params);
      return read.ok ? { type: "update", update: read.value.update } : undefined;
    }
    case "session/request_permission request": {
      const read = decode(decodeRequestPermissionRequest, params);
      return read.ok ? { type: "permission_requested", toolCall: read.value.toolCall } : undefined;
    }
    case "session/new result":
    case "session/load result":
    case "session/resume result":
    case "session/fork result": {
      const read = decode(decodeLoadSessionResponse, body);
      const { modes, configOptions } = read.ok ? read.value : {};
      return { type: "opened", modes: modes ?? undefined, configOptions: configOptions ?? undefined };
    }
    case "session/prompt request": {
      const { prompt } = membersOf(params);
      const blocks = (Array.isArray(prompt) ? prompt : []).map((block) => decode(decodeContentBlock, block));
      return { type: "turn_started", turn, prompt: blocks.flatMap((read) => (read.ok ? [read.value as never] : [])) };
    }
    case "session/prompt result": {
      const read = decode(decodePromptResponse, body);
      return read.ok ? { type: "turn_ended", turn, response: read.value } : undefined;
    }
    case "session/prompt error":
      return { type: "turn_failed", turn, error: body };
    case "session/cancel notification":
      return { type: "turn_cancelled", turn };
    case "session/set_mode result":
      return { type: "mode_set", modeId: String(membersOf(params)["modeId"]) };
    case "session/set_config_option result": {
      const read = decode(decodeSetSessionConfigOptionResponse, body);
      return read.ok ? { type: "config_options_set", configOptions: read.value.configOptions } : undefined;
    }
    case "session/close result":
      return { type: "closed" };
    default:
      return undefined;
  }
}
