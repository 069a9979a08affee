// Type tests of version 2: they pass when this file compiles.
import { unknownVariant } from "../decoding/index.ts";
import type * as v2 from "../v2/index.ts";

// Nearly every union is open: none has other variants to send, all have one more to receive.
// A new update need not come here: codegen's `compile-types.test.ts` switches over every variant of every union.

export function sentUpdate(update: v2.SessionUpdate): unknown {
  switch (update.sessionUpdate) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return update.content satisfies v2.ContentBlock[] | null | undefined;
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return [update.messageId satisfies string, update.content satisfies v2.ContentBlock];
    case "state_update":
      return update satisfies v2.StateUpdate;
    case "tool_call_update":
      return update.capabilities?.cancel;
    case "tool_call_content_chunk":
      return update.content satisfies v2.ToolCallContent;
    case "terminal_update":
      return update.output?.data;
    case "terminal_output_chunk":
      return update.data satisfies string;
    case "plan_update":
      return update.plan satisfies v2.PlanUpdateContent;
    case "available_commands_update":
    case "config_option_update":
    case "session_info_update":
    case "usage_update":
    case "notice":
    case "compaction_update":
    case "compaction_summary_chunk":
      return update.sessionUpdate;
    default:
      return undefined;
  }
}

export function receivedUpdate({ update }: v2.Received.UpdateSessionNotification): unknown {
  switch (update.sessionUpdate) {
    case "state_update":
      return stopReason(update);
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return contentText(update.content);
    case "tool_call_update":
      return update.content?.map((content) => (content.type === "diff" ? content.changes : content));
    case "user_message":
    case "agent_message":
    case "agent_thought":
    case "tool_call_content_chunk":
    case "terminal_update":
    case "terminal_output_chunk":
    case "plan_update":
    case "available_commands_update":
    case "config_option_update":
    case "session_info_update":
    case "usage_update":
    case "notice":
    case "compaction_update":
    case "compaction_summary_chunk":
      return update.sessionUpdate;
    case unknownVariant:
      return update.received["sessionUpdate"];
    default:
      return undefined;
  }
}

function stopReason(update: v2.Received.StateUpdate): unknown {
  switch (update.state) {
    case "idle":
      return update.stopReason === "error" ? update.error?.message : update.stopReason;
    case "running":
    case "requires_action":
      return update.background?.length;
    case unknownVariant:
      return update.received["state"];
    default:
      // What is left, should a schema have more.
      return update satisfies Exclude<
        v2.Received.StateUpdate,
        { state: "idle" | "running" | "requires_action" | typeof unknownVariant }
      >;
  }
}

function contentText(block: v2.Received.ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return block.data;
    case "resource_link":
      return block.uri;
    case "resource":
      return block.resource.uri;
    case unknownVariant:
      return String(block.received["type"]);
    default:
      return block satisfies never;
  }
}

// @ts-expect-error an unknown block is received, not sent
export const sentBlock: v2.ContentBlock = {} as v2.Received.ContentBlock;
// @ts-expect-error the same in a prompt
export const sentPrompt: v2.PromptRequest = {} as v2.Received.PromptRequest;
// @ts-expect-error a copy by hand is not sent, either
export const copiedBlock: v2.ContentBlock = { type: "unknown variant", received: { type: "_x" } };
export function sentEnd(end: v2.Received.IdleStateUpdate): v2.IdleStateUpdate {
  // @ts-expect-error nor is how a session ends
  return end;
}

export function isAllowed(outcome: v2.Received.RequestPermissionOutcome, allowed: string): boolean {
  switch (outcome.outcome) {
    case "selected":
      return outcome.optionId === allowed;
    case "cancelled":
    case unknownVariant:
      return false;
    default:
      return outcome satisfies never;
  }
}

export function changedPaths(change: v2.Received.DiffChange): readonly string[] {
  switch (change.operation) {
    case "add":
    case "delete":
    case "modify":
      return [change.path];
    case "move":
    case "copy":
      return [change.oldPath, change.path];
    case unknownVariant:
      return [];
    default:
      return change satisfies never;
  }
}

export function optionValue(option: v2.Received.SessionConfigOption): unknown {
  switch (option.type) {
    case "select":
      return [option.configId, option.currentValue satisfies string];
    case "boolean":
      return [option.configId, option.currentValue satisfies boolean];
    case unknownVariant:
      return option.received["configId"];
    default:
      return option satisfies never;
  }
}

export function serverAddress(server: v2.McpServer): string {
  switch (server.type) {
    case "http":
      return server.url;
    case "stdio":
      return server.command;
    default:
      return server satisfies never;
  }
}

// What is not of the protocol does not compile.

export const chunk: v2.SessionUpdate = {
  sessionUpdate: "agent_message_chunk",
  messageId: "1",
  content: { type: "text", text: "" },
};
// @ts-expect-error the message id is required here
export const missing: v2.SessionUpdate = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" } };
// @ts-expect-error misspelt
export const misspelt: v2.SessionUpdate = { sessionUpdate: "agent_message", messageID: "1" };
// @ts-expect-error a member too many
export const excess: v2.SessionUpdate = { sessionUpdate: "agent_message", messageId: "1", text: "" };
// @ts-expect-error no such update
export const noSuch: v2.SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "1", title: "Read" };
// @ts-expect-error no such content
export const noBlock: v2.ContentBlock = { type: "video", data: "", mimeType: "video/mp4" };
// @ts-expect-error the type is required here
export const server: v2.McpServer = { name: "a", command: "/a" };
// @ts-expect-error an answer carries the message id
export const accepted: v2.PromptResponse = {};
// @ts-expect-error idle with an error only
export const idle: v2.StateUpdate = { state: "idle", stopReason: "end_turn", error: null };
export const failed: v2.StateUpdate = { state: "idle", stopReason: "error", error: { code: -32603, message: "No" } };
export const quiet: v2.StateUpdate = { state: "idle" };

// Keep, clear and replace are three states.

export const upserts: v2.AgentMessage[] = [
  { messageId: "1" },
  { messageId: "1", content: null },
  { messageId: "1", content: [] },
];

// Enums are open.

export const kinds: v2.ToolKind[] = ["read", "_browse"];
export const statuses: v2.ToolCallStatus[] = ["paused", "_waiting"];
// @ts-expect-error a status is a string
export const status: v2.ToolCallStatus = 1;
// @ts-expect-error ids are never null here
export const id: v2.RequestId = null;
