import type { Received } from "@acp/schema/v1";
import type { Received as Unstable } from "@acp/schema/v1/unstable";
import type { List } from "./list.ts";

/** Custom data, as it was last received (EXT-01). */
type Meta = { readonly [key: string]: unknown };

/** Who speaks. */
export type MessageType = "user_message" | "agent_message" | "agent_thought";

/** A message: chunks with the same id, or without one that came one after another (UPD-04). */
export interface MessageItem {
  readonly type: MessageType;
  /** Says only which chunks belong together (UPD-05). Messages of agents that send none, and own prompts, have none. */
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
  /** The id until the agent has told a title. */
  readonly title: string;
  /** The name of the tool, for programs. */
  readonly name?: string;
  /** Default: `other`. */
  readonly kind: Received.ToolKind;
  /**
   * Default: `pending`. What is unfinished becomes `cancelled` when the client cancels the turn of the call (CANC-02),
   * when that turn is answered with `cancelled` or fails, when the session ends, and when it has been loaded. A turn that
   * ends in any other way leaves it as the agent has told it. What the agent tells later counts (CANC-09).
   */
  readonly status: ToolCallItemStatus;
  readonly content: readonly Received.ToolCallContent[];
  readonly locations: readonly Received.ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly _meta?: Meta;
}

/** The agent's plan. A plan that comes after the user has spoken again is another item; the old one stays as it was. */
export interface PlanItem {
  readonly type: "plan";
  readonly entries: readonly Received.PlanEntry[];
  readonly _meta?: Meta;
}

/** Something the user should know. A severity one does not know is shown in a general way (NOTC-05). */
export interface NoticeItem {
  readonly type: "notice";
  readonly severity: Received.NoticeSeverity;
  readonly title: string;
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

/** An update of a kind that this version does not know, or whose payload did not decode, as received (UPD-07). */
export interface UnknownItem {
  readonly type: "unknown";
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

/** What a user sees of a session. */
export type TimelineItem = MessageItem | ToolCallItem | PlanItem | NoticeItem | CompactionItem | UnknownItem;

/** The same with the unstable part of the protocol. */
export type UnstableTimelineItem = TimelineItem | IdentifiedPlanItem | SubagentItem | SessionMessageItem;
