import {
  describeQuestion,
  initialState,
  reduceSession,
  type SessionEvent,
  type SessionState as State,
  terminalText,
} from "@acp/core/v2/state";
import { withShownContent } from "@acp/render";
import { showContent } from "@acp/render/session";
import { decode } from "@acp/schema";
import {
  decodeContentBlock,
  decodePromptResponse,
  decodeRequestPermissionRequest,
  decodeResumeSessionResponse,
  decodeSetSessionConfigOptionResponse,
  decodeUpdateSessionNotification,
} from "@acp/schema/v2";

import { membersOf } from "../snippet.ts";
import type { SessionState } from "./session-state.ts";
import type { Step } from "./step.ts";

/** The state of a session of version 2. */
export function startV2(state: State = initialState()): SessionState {
  const self: SessionState = {
    shown: state,
    terminals: () =>
      new Map(
        [...state.terminals].map(({ terminalId, command, output, exitStatus }) => [
          terminalId,
          { command: command ?? "", output: terminalText(output), exit: exitStatus },
        ]),
      ),
    next(step) {
      const event = eventOf(step, state);
      const next = event === undefined ? state : reduceSession(state, event);
      return next === state ? self : startV2(next);
    },
    ask(params) {
      const read = decode(decodeRequestPermissionRequest, params);
      if (!read.ok) return undefined;
      const { subject, options } = read.value;
      const call = subject?.type === "tool_call" ? subject.toolCall : undefined;
      const asked = describeQuestion(read.value, call && state.timeline.find("tool_call", call.toolCallId));
      const shown = options.map(({ kind, ...option }) => ({ ...option, kind: String(kind) }));
      return { asked: withShownContent(asked, (content) => showContent(content)), options: shown };
    },
  };
  return self;
}

function eventOf({ kind, method, params, body, turn }: Step, state: State): SessionEvent | undefined {
  const key = `${method} ${kind}`;
  switch (key) {
    case "session/update notification": {
      const read = decode(decodeUpdateSessionNotification, params);
      return read.ok ? { type: "update", update: read.value.update } : undefined;
    }
    case "session/request_permission request": {
      const read = decode(decodeRequestPermissionRequest, params);
      const subject = read.ok ? read.value.subject : undefined;
      return subject?.type === "tool_call" ? { type: "permission_requested", toolCall: subject.toolCall } : undefined;
    }
    case "session/new result":
    case "session/resume result":
    case "session/fork result": {
      const read = decode(decodeResumeSessionResponse, body);
      const { configOptions } = read.ok ? read.value : {};
      return { type: "opened", configOptions: configOptions ?? state.configOptions, commands: state.commands };
    }
    case "session/prompt request": {
      const { prompt } = membersOf(params);
      const blocks = (Array.isArray(prompt) ? prompt : []).map((block) => decode(decodeContentBlock, block));
      return { type: "turn_started", turn, prompt: blocks.flatMap((read) => (read.ok ? [read.value as never] : [])) };
    }
    case "session/prompt result": {
      const read = decode(decodePromptResponse, body);
      return read.ok ? { type: "turn_accepted", turn, messageId: read.value.messageId } : undefined;
    }
    case "session/prompt error":
      return { type: "turn_failed", turn, error: body };
    case "session/cancel request":
    case "session/cancel notification":
      return { type: "cancelled" };
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
