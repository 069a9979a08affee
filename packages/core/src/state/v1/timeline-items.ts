import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import type { List } from "../shared/list.ts";
import type * as shared from "../shared/timeline-items.ts";

/** A message: chunks with the same id, or without one that came one after another (UPD-04). */
export interface MessageItem<Block = Received.ContentBlock> {
  /** Who speaks. */
  readonly type: shared.MessageType;
  /**
   * Says only which chunks belong together (UPD-05). Missing where the agent sent none, and in own prompts that the agent
   * has not repeated.
   */
  readonly messageId?: string;
  /** As received, in order. `joinText` and `joinBlocks` put them together; `slice` returns those that are new. */
  readonly chunks: List<Block>;
  readonly _meta?: shared.Meta;
}

/** What a tool call is doing. The wire has no `cancelled`: see {@link ToolCallItem.status}. */
export type ToolCallItemStatus = Received.ToolCallStatus | "cancelled";

/** A tool call, with everything that the agent has reported of it so far (TOOL-05). */
export interface ToolCallItem<Content = Received.ToolCallContent> extends shared.AnyToolCallItem<
  Received.ToolKind,
  Received.ToolCallLocation,
  Content
> {
  /** The title; the id of the call until the agent has sent one. */
  readonly title: string;
  /**
   * Default: `pending`. An unfinished call becomes `cancelled` when the client cancels its turn (CANC-02), when that turn is
   * answered with `cancelled` or fails, when the session ends, and when the session has been loaded. A turn that ends in
   * any other way leaves the call as the agent has reported it. What the agent reports later counts (CANC-09).
   */
  readonly status: ToolCallItemStatus;
  /** What to show of it, as last received; at first empty. */
  readonly content: readonly Content[];
}

/**
 * A terminal of the agent's own: the agent runs the command itself, and tells of it in the custom data of a tool call. Terminals
 * that the agent asks this client for are not here, since the client has them.
 */
export interface TerminalItem {
  readonly type: "terminal";
  readonly terminalId: string;
  /** The tool call that told of it. Show it there, even if the content of the call does not name it. */
  readonly toolCallId: string;
  /** The directory that the command runs in. */
  readonly cwd?: string;
  /** The output, in pieces as received. `terminalText` puts them together. */
  readonly output: List<string>;
  /** How the command has ended; missing while it runs. */
  readonly exitStatus?: { readonly exitCode: number | null; readonly signal: string | null };
}

/** The agent's plan. A plan that comes after the user has spoken again is another item; the old one stays as it was. */
export interface PlanItem {
  readonly type: "plan";
  readonly entries: readonly Received.PlanEntry[];
  readonly _meta?: shared.Meta;
}

/** One of several plans, which differ by their ids (PLAN-11). */
export interface IdentifiedPlanItem {
  readonly type: "identified_plan";
  readonly planId: string;
  readonly plan: Unstable.PlanUpdateContent;
  /** The agent has removed it: do not show it any more. */
  readonly removed: boolean;
  readonly _meta?: shared.Meta;
}

/** A compaction of the context (NOTC-07). */
export type CompactionItem<Block = Received.ContentBlock> = shared.CompactionItem<Block>;

/** A message between two sessions. */
export type SessionMessageItem<Block = Received.ContentBlock> = shared.SessionMessageItem<Block>;

/** One item of the timeline: what a user sees of a session. `type` narrows it. */
export type TimelineItem =
  | MessageItem
  | ToolCallItem
  | PlanItem
  | shared.NoticeItem
  | CompactionItem
  | OtherItem<Received.SessionUpdate["sessionUpdate"]>;

/** The same with the unstable part of the protocol. */
export type UnstableTimelineItem =
  | MessageItem<Unstable.ContentBlock>
  | ToolCallItem<Unstable.ToolCallContent>
  | PlanItem
  | shared.NoticeItem
  | CompactionItem<Unstable.ContentBlock>
  | IdentifiedPlanItem
  | shared.SubagentItem
  | SessionMessageItem<Unstable.ContentBlock>
  | shared.UnknownItem;

/** The items of updates that a newer schema may make stable, if it does. */
type OtherItem<Tag> =
  | shared.UnknownItem
  | (Tag extends "plan_update" ? IdentifiedPlanItem : never)
  | (Tag extends "subagent_update" ? shared.SubagentItem : never)
  | (Tag extends "session_message" ? SessionMessageItem : never);
