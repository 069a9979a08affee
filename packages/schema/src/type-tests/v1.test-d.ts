// Type tests of version 1: they pass when this file compiles, and an unused `@ts-expect-error` is an error.
import { unknownVariant } from "../decoding/index.ts";
import type * as v1 from "../v1/index.ts";
import type { Received } from "../v1/index.ts";

// Unions narrow by `switch`, and are exhaustive.

export function contentText(block: v1.ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `${block.mimeType}: ${block.data.length}`;
    case "resource_link":
      return block.title ?? block.name;
    case "resource":
      return "text" in block.resource ? block.resource.text : block.resource.blob;
    default:
      return block satisfies never;
  }
}

export function toolContent(content: v1.ToolCallContent): unknown {
  switch (content.type) {
    case "content":
      return content.content satisfies v1.ContentBlock;
    case "diff":
      return [content.path, content.oldText satisfies string | null | undefined, content.newText];
    case "terminal":
      return content.terminalId;
    default:
      // What is left, should a schema have more.
      return content satisfies Exclude<v1.ToolCallContent, { type: "content" | "diff" | "terminal" }>;
  }
}

export function optionValue(option: v1.SessionConfigOption): string | boolean {
  switch (option.type) {
    case "select":
      return option.currentValue satisfies string;
    case "boolean":
      return option.currentValue satisfies boolean;
    default:
      return option satisfies never;
  }
}

export function optionLabel(option: v1.SessionConfigOption): string {
  return `${option.id}: ${option.name} (${option.category ?? "other"})`;
}

export function chosen(outcome: v1.RequestPermissionOutcome): string | undefined {
  return outcome.outcome === "selected" ? outcome.optionId : undefined;
}

// The variant without a tag narrows too.

export function serverAddress(server: v1.McpServer): string {
  switch (server.type) {
    case "http":
    case "sse":
      return server.url;
    case "stdio":
    case undefined:
      return [server.command, ...server.args].join(" ");
    default:
      return server satisfies never;
  }
}

export function loginArguments(method: v1.AuthMethod): readonly string[] {
  // @ts-expect-error only a terminal login has arguments
  if (method.type === undefined) return method.args;
  return method.type === "terminal" ? (method.args ?? []) : [];
}

export function shownLogin(method: Received.AuthMethod): string {
  // @ts-expect-error what an agent sends may be of a type that is not known
  if (method.type !== "terminal") method.type satisfies "agent" | undefined;
  return `${method.type ?? "agent"} ${method.id}: ${method.name}, ${method.description ?? ""}`;
}

// @ts-expect-error a type that is not known is received, not sent
export const sentLogin: v1.AuthMethod = {} as Received.AuthMethod;
// @ts-expect-error its tag is a string, but no type of a login
export const sentType: v1.AuthMethod["type"] = unknownVariant;
// @ts-expect-error the same
export const forwardedLogin: v1.AuthMethod = { type: unknownVariant, received: {}, id: "a", name: "A" };

export function requestedValue(request: v1.SetSessionConfigOptionRequest): string | boolean {
  return request.type === "boolean" ? (request.value satisfies boolean) : (request.value satisfies string);
}

// The variants of an update, sent.
// A new update need not come here: codegen's `compile-types.test.ts` switches over every variant of every union.

export function sentUpdate(update: v1.SessionUpdate): unknown {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return update.content satisfies v1.ContentBlock;
    case "tool_call":
      return update.title satisfies string;
    case "tool_call_update":
      return update.title satisfies string | null | undefined;
    case "plan":
      return update.entries satisfies v1.PlanEntry[];
    case "available_commands_update":
      return update.availableCommands satisfies v1.AvailableCommand[];
    case "current_mode_update":
      return update.currentModeId satisfies string;
    case "config_option_update":
      return update.configOptions satisfies v1.SessionConfigOption[];
    case "session_info_update":
      return update.updatedAt satisfies string | null | undefined;
    case "usage_update":
      return update.used + update.size;
    case "notice":
      return update.severity satisfies string;
    case "compaction_update":
    case "compaction_summary_chunk":
      return update.compactionId satisfies string;
    default:
      return undefined;
  }
}

// Updates and elicitations, received: one more variant.

export function receivedUpdate({ update }: v1.Received.SessionNotification): unknown {
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "user_message_chunk":
      return contentText(update.content);
    case "tool_call":
    case "tool_call_update":
      return update satisfies v1.ToolCall | v1.ToolCallUpdate;
    case "plan":
      return update.entries;
    case "available_commands_update":
    case "current_mode_update":
    case "config_option_update":
    case "session_info_update":
    case "usage_update":
    case "notice":
    case "compaction_update":
    case "compaction_summary_chunk":
      return update.sessionUpdate;
    case unknownVariant:
      return update.received["sessionUpdate"] satisfies unknown;
    default:
      return undefined;
  }
}

export function withoutUnknown(update: v1.Received.SessionUpdate): v1.SessionUpdate["sessionUpdate"] | undefined {
  return update.sessionUpdate === unknownVariant ? undefined : update.sessionUpdate;
}

export function receivedElicitation(request: v1.Received.CreateElicitationRequest): unknown {
  switch (request.mode) {
    case "form":
      return "sessionId" in request ? request.sessionId : request.requestedSchema.properties;
    case "url":
      return [request.message, request.url satisfies string];
    case unknownVariant:
      return request.received["message"];
    default:
      return request satisfies never;
  }
}

export function answered(response: v1.Received.CreateElicitationResponse): unknown {
  switch (response.action) {
    case "accept":
      return response.content?.["name"] satisfies v1.ElicitationContentValue | undefined;
    case "decline":
    case "cancel":
      return response.action;
    case unknownVariant:
      return response.received;
    default:
      return response satisfies never;
  }
}

// What contains no open union is the same type in both families; what is sent can be read as received.

export const samePrompt: v1.PromptRequest = {} as v1.Received.PromptRequest;
export const wider: v1.Received.SessionNotification = {} as v1.SessionNotification;
// @ts-expect-error an unknown variant is not to be sent
export const narrower: v1.SessionNotification = {} as v1.Received.SessionNotification;

// What is not of the protocol does not compile.

export const call: v1.SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "1", title: "Read", kind: "read" };
// @ts-expect-error no title
export const missing: v1.SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "1" };
// @ts-expect-error misspelt
export const misspelt: v1.SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "1", titel: "Read" };
// @ts-expect-error a member too many
export const excess: v1.SessionUpdate = { sessionUpdate: "plan", entries: [], title: "Plan" };
// @ts-expect-error no such update
export const noSuch: v1.SessionUpdate = { sessionUpdate: "tool_cal", toolCallId: "1", title: "Read" };
// @ts-expect-error only unstable
export type Unstable = v1.ForkSessionRequest;
// @ts-expect-error a known update whose content is of no kind
export const noBlock: v1.SessionUpdate = { sessionUpdate: "agent_message_chunk", content: { type: "txt", text: "" } };
// @ts-expect-error no such member of an answer
export const answer: v1.PromptResponse = { stopReason: "end_turn", message: "" };
// @ts-expect-error no such stop reason
export const stop: v1.PromptResponse = { stopReason: "endTurn" };
// @ts-expect-error members one makes up belong into _meta
export const root: v1.NewSessionRequest = { cwd: "/", mcpServers: [], acme: true };
export const meta: v1.NewSessionRequest = { cwd: "/", mcpServers: [], _meta: { acme: true } };
// @ts-expect-error an http server has a URL
export const http: v1.McpServer = { type: "http", name: "a", headers: [] };
export const stdio: v1.McpServer = { name: "a", command: "/a", args: [], env: [] };
// @ts-expect-error a boolean needs its type
export const flag: v1.SetSessionConfigOptionRequest = { sessionId: "1", configId: "2", value: true };
export const form: v1.CreateElicitationRequest = {
  mode: "form",
  sessionId: "1",
  message: "Name?",
  requestedSchema: { type: "object", properties: { name: { type: "string", maxLength: 20 } } },
};
export const formField: v1.ElicitationSchema = {
  // @ts-expect-error no such kind of field
  properties: { name: { type: "text" } },
};

// Absent, undefined and null.

export const absent: v1.ToolCallUpdate[] = [
  { toolCallId: "1" },
  { toolCallId: "1", status: undefined },
  { toolCallId: "1", status: null },
];
// @ts-expect-error required members are never null
export const nulled: v1.ToolCall = { toolCallId: null, title: "Read" };
// @ts-expect-error null where the schema has none
export const nullKind: v1.ToolCall = { toolCallId: "1", title: "Read", kind: null };

// Closed enums take what they list, open ones complete what they list and take more.

export const kinds: v1.ToolKind[] = ["read", "switch_mode", "other"];
// @ts-expect-error not listed
export const kind: v1.ToolKind = "browse";
export const severities: v1.NoticeSeverity[] = ["info", "critical"];
// @ts-expect-error a severity is a string
export const severity: v1.NoticeSeverity = 1;
export const codes: v1.ErrorCode[] = [-32700, -32002, 12345];
export const ids: v1.RequestId[] = [0, "", null];
