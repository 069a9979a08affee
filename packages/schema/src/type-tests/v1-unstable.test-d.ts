// Type tests of version 1 with its unstable part: they pass when this file compiles.
// A new variant need not come here: what is left of a union is whatever the cases do not name.
import { unknownVariant } from "../decoding/index.ts";
import type * as stable from "../v1/index.ts";
import type * as v1 from "../v1/unstable/index.ts";

export function planText(content: v1.PlanUpdateContent): unknown {
  switch (content.type) {
    case "items":
      return content.entries.map((entry) => entry.content).join("\n");
    case "markdown":
      return content.content satisfies string;
    default:
      return content satisfies Exclude<v1.PlanUpdateContent, { type: "items" | "markdown" }>;
  }
}

export function serverName(server: v1.McpServer): string {
  switch (server.type) {
    case "acp":
      return server.serverId;
    case "http":
    case "sse":
      return server.url;
    case "stdio":
    case undefined:
      return server.command;
    default:
      return server satisfies never;
  }
}

type HandledUpdate =
  | "plan_update"
  | "plan_removed"
  | "subagent_update"
  | "session_message"
  | "session_message_chunk"
  | typeof unknownVariant;

export function receivedUpdate(update: v1.Received.SessionUpdate): unknown {
  switch (update.sessionUpdate) {
    case "plan_update":
      return planText(update.plan);
    case "plan_removed":
      return update.planId;
    case "subagent_update":
      return subagentState(update);
    case "session_message":
    case "session_message_chunk":
      return update.messageId;
    case unknownVariant:
      return update.received;
    default:
      return update satisfies Exclude<v1.Received.SessionUpdate, { sessionUpdate: HandledUpdate }>;
  }
}

// An open union inside an open union.

function subagentState({ state }: v1.Received.SubagentUpdate): unknown {
  switch (state?.state) {
    case "idle":
      return idleReason(state);
    case "running":
    case "requires_action":
    case "unknown":
      return state.state;
    case unknownVariant:
      return state.received;
    case undefined:
      return state satisfies null | undefined;
    default:
      return state satisfies never;
  }
}

export function idleReason(state: v1.Received.IdleStateUpdate): unknown {
  switch (state.stopReason) {
    case "end_turn":
    case "max_tokens":
    case "max_turn_requests":
    case "refusal":
    case "cancelled":
      return state.usage?.totalTokens;
    case "error":
      return state.error?.message;
    case unknownVariant:
      return state.received["stopReason"];
    case null:
    case undefined:
      return undefined;
    default:
      return state satisfies never;
  }
}

export const removed: v1.SessionUpdate = { sessionUpdate: "plan_removed", planId: "1" };
// @ts-expect-error the id is missing
export const missing: v1.SessionUpdate = { sessionUpdate: "plan_removed" };
// @ts-expect-error an older name of the id
export const misspelt: v1.SessionUpdate = { sessionUpdate: "plan_removed", id: "1" };
// @ts-expect-error no such plan
export const noSuch: v1.PlanUpdateContent = { type: "table", planId: "1" };
export const modes: v1.SystemPromptMode[] = ["append", "override", "_prepend"];
export const protocols: v1.LlmProtocol[] = ["anthropic", "mistral"];
// @ts-expect-error closed as in the stable part
export const kind: v1.ToolKind = "browse";
export const answer: v1.PromptResponse = {
  stopReason: "end_turn",
  usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 },
};

// The stable part can be used with the unstable one.

export const update: v1.SessionUpdate = {} as stable.SessionUpdate;
export const setup: v1.NewSessionRequest = {} as stable.NewSessionRequest;
// @ts-expect-error but not the other way round
export const narrower: stable.SessionUpdate = {} as v1.SessionUpdate;
