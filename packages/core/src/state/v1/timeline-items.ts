import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import type { List } from "../shared/list.ts";

/** Custom data, as it was last received (EXT-01). */
type Meta = { readonly [key: string]: unknown };

/** Who speaks. */
export type MessageType = "user_message" | "agent_message" | "agent_thought";

/** A message: chunks with the same id, or without one that came one after another (UPD-04). */
export interface MessageItem {
  /** Who speaks. */
  readonly type: MessageType;
  /**
   * Says only which chunks belong together (UPD-05). Missing where the agent sent none, and in own prompts that the agent
   * has not repeated.
   */
  readonly messageId?: string;
  /** As received, in order. `joinText` and `joinBlocks` put them together; `slice` gives those that are new. */
  readonly chunks: List<Received.ContentBlock>;
  readonly _meta?: Meta;
}

/** What a tool call is doing. The wire has no `cancelled`: see {@link ToolCallItem.status}. */
export type ToolCallItemStatus = Received.ToolCallStatus | "cancelled";

/** A tool call, with all that was told of it so far (TOOL-05). */
export interface ToolCallItem {
  readonly type: "tool_call";
  readonly toolCallId: string;
  /** The title; the id of the call until the agent has told one. */
  readonly title: string;
  /** The name of the tool, for programs. */
  readonly name?: string;
  /** What kind of tool it is. Default: `other`. */
  readonly kind: Received.ToolKind;
  /**
   * Default: `pending`. An unfinished call becomes `cancelled` when the client cancels its turn (CANC-02), when that turn is
   * answered with `cancelled` or fails, when the session ends, and when the session has been loaded. A turn that ends in
   * any other way leaves the call as the agent has told it. What the agent tells later counts (CANC-09).
   */
  readonly status: ToolCallItemStatus;
  /** What to show of it, as told last; at first empty. */
  readonly content: readonly Received.ToolCallContent[];
  /** The files that it is about, as told last; at first empty. */
  readonly locations: readonly Received.ToolCallLocation[];
  /** What the tool was called with, as the agent told it. */
  readonly rawInput?: unknown;
  /** What the tool returned, as the agent told it. */
  readonly rawOutput?: unknown;
  /** Custom data, as received last. */
  readonly _meta?: Meta;
}

/** The agent's plan. A plan that comes after the user has spoken again is another item; the old one stays as it was. */
export interface PlanItem {
  readonly type: "plan";
  readonly entries: readonly Received.PlanEntry[];
  readonly _meta?: Meta;
}

/** Something that the user should know. */
export interface NoticeItem {
  readonly type: "notice";
  /** How serious it is. Show one that you do not know in a general way (NOTC-05). */
  readonly severity: Received.NoticeSeverity;
  /** What it is about, in short. */
  readonly title: string;
  /** More about it. */
  readonly description?: string;
  readonly _meta?: Meta;
}

/** A compaction of the context (NOTC-07). */
export interface CompactionItem {
  readonly type: "compaction";
  readonly compactionId: string;
  readonly status: Received.CompactionStatus;
  /** What the shortened context says; `joinText` puts it together. */
  readonly summary: List<Received.ContentBlock>;
  /** Why it failed. */
  readonly error?: string;
  readonly _meta?: Meta;
}

/** An update of a kind that this version does not know, or that could not be read (UPD-07). */
export interface UnknownItem {
  readonly type: "unknown";
  /** The update as it came. */
  readonly received: Readonly<Record<string, unknown>>;
}

/** One of several plans, which the agent tells apart by their ids (PLAN-11). */
export interface IdentifiedPlanItem {
  readonly type: "identified_plan";
  readonly planId: string;
  readonly plan: Unstable.PlanUpdateContent;
  /** The agent has removed it: no longer to be shown. */
  readonly removed: boolean;
  readonly _meta?: Meta;
}

/** A subagent's session. */
export interface SubagentItem {
  readonly type: "subagent";
  readonly sessionId: string;
  readonly title?: string;
  readonly description?: string;
  /** What the client may do with it. */
  readonly capabilities?: Unstable.SubagentSessionCapabilities;
  readonly state?: Unstable.StateUpdate;
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[];
  readonly _meta?: Meta;
}

/** A message between two sessions. */
export interface SessionMessageItem {
  readonly type: "session_message";
  readonly messageId: string;
  readonly senderSessionId?: string;
  readonly recipientSessionId?: string;
  readonly senderMessageId?: string;
  readonly recipientMessageId?: string;
  /** `joinText` puts it together. */
  readonly content: List<Received.ContentBlock>;
  readonly _meta?: Meta;
}

/** One item of the timeline: what a user sees of a session. `type` narrows it. */
export type TimelineItem = MessageItem | ToolCallItem | PlanItem | NoticeItem | CompactionItem | UnknownItem;

/** The same with the unstable part of the protocol. */
export type UnstableTimelineItem = TimelineItem | IdentifiedPlanItem | SubagentItem | SessionMessageItem;
