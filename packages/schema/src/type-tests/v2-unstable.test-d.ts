// Type tests of version 2 with its unstable part: they pass when this file compiles.
import { unknownVariant } from "../decoding/index.ts";
import type * as stable from "../v2/index.ts";
import type * as v2 from "../v2/unstable/index.ts";

type HandledUpdate =
  | "plan_update"
  | "plan_removed"
  | "subagent_update"
  | "session_message"
  | "session_message_chunk"
  | typeof unknownVariant;

export function receivedUpdate(update: v2.Received.SessionUpdate): unknown {
  switch (update.sessionUpdate) {
    case "plan_update":
      return planText(update.plan);
    case "plan_removed":
      return update.planId;
    case "subagent_update":
      return update.capabilities?.cancel;
    case "session_message":
      return update.content?.length;
    case "session_message_chunk":
      return update.content satisfies v2.Received.ContentBlock;
    case unknownVariant:
      return update.received["sessionUpdate"];
    default:
      return update satisfies Exclude<v2.Received.SessionUpdate, { sessionUpdate: HandledUpdate }>;
  }
}

function planText(content: v2.Received.PlanUpdateContent): unknown {
  switch (content.type) {
    case "items":
      return content.entries.map((entry) => entry.content).join("\n");
    case "markdown":
      return content.content satisfies string;
    case unknownVariant:
      return content.received["planId"];
    default:
      // A new variant need not come here: what is left is whatever the cases do not name.
      return content satisfies Exclude<
        v2.Received.PlanUpdateContent,
        { type: "items" | "markdown" | typeof unknownVariant }
      >;
  }
}

export function backgroundId(work: v2.Received.BackgroundWork): string | undefined {
  switch (work.type) {
    case "terminal":
      return work.terminalId;
    case "tool_call":
      return work.toolCallId;
    case "subagent":
      return work.sessionId;
    case unknownVariant:
      return undefined;
    default:
      return work satisfies never;
  }
}

export function serverAddress(server: v2.McpServer): string {
  switch (server.type) {
    case "http":
      return server.url;
    case "stdio":
      return server.command;
    case "acp":
      return server.serverId;
    default:
      return server satisfies never;
  }
}

export const subagent: v2.SessionUpdate = { sessionUpdate: "subagent_update", sessionId: "1", title: null };
// @ts-expect-error the session is missing
export const missing: v2.SessionUpdate = { sessionUpdate: "subagent_update", title: "Tests" };
// @ts-expect-error misspelt
export const misspelt: v2.SessionUpdate = { sessionUpdate: "subagent_update", sessionID: "1" };
// @ts-expect-error no such work
export const noSuch: v2.BackgroundWork = { type: "download" };
export const states: v2.AuthState[] = ["authenticated", "_expired"];

// The stable part can be used with the unstable one.

export const update: v2.SessionUpdate = {} as stable.SessionUpdate;
// @ts-expect-error but not the other way round
export const narrower: stable.SessionUpdate = {} as v2.SessionUpdate;
