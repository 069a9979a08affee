import type { Received } from "@acp/schema/v2/types";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import type { List } from "../shared/list.ts";
import type * as shared from "../shared/timeline-items.ts";

/** A message. Each of the three types has its own ids. */
export interface MessageItem<Block = Received.ContentBlock> {
  /** Who speaks. */
  readonly type: shared.MessageType;
  readonly messageId: string;
  /** As received, in order. `joinText` and `joinBlocks` put them together; `slice` returns those that are new. */
  readonly chunks: List<Block>;
  /**
   * A prompt of this client that the agent has accepted, but not reported yet: the chunks are the blocks that were sent.
   * The message that the agent reports replaces them.
   */
  readonly unconfirmed?: true;
  readonly _meta?: shared.Meta;
}

/** A tool call, with everything that the agent has reported of it so far. */
export interface ToolCallItem<Content = Received.ToolCallContent> extends shared.AnyToolCallItem<
  Received.ToolKind,
  Received.ToolCallLocation,
  Content
> {
  /** What the tool does, for users; missing until the agent has sent it. */
  readonly title?: string;
  /**
   * Default: `pending`. Show a status that you do not know like `in_progress`.
   *
   * An unfinished call becomes `cancelled` when the client sends `session/cancel`, when its work ends with `cancelled` or
   * `error`, and when the session ends. A call that the agent lists as background work becomes `cancelled` only when the
   * session ends. What the agent reports later counts.
   */
  readonly status: Received.ToolCallStatus;
  /** The output of the tool; at first empty. A terminal in it is one of `SessionState.terminals`. */
  readonly content: List<Content>;
  /** What the client may do with the call. `isCancellable` reads it. */
  readonly capabilities?: Received.ToolCallCapabilities;
}

/** A terminal of the agent. A tool call shows it by its id, or it runs in the background. */
export interface TerminalItem {
  readonly type: "terminal";
  readonly terminalId: string;
  readonly command?: string;
  /** The directory that the command runs in: an absolute path. */
  readonly cwd?: string;
  /** The output, in pieces of base64 as received. `terminalBytes` and `terminalText` put them together. */
  readonly output: List<string>;
  /** How the command has ended; missing while it runs. */
  readonly exitStatus?: Received.TerminalExitStatus;
  /** How large the terminal is, in characters. */
  readonly size?: Received.TerminalSize;
  /** What the client may do with the terminal. `isCancellable` reads it. */
  readonly capabilities?: Received.TerminalCapabilities;
  readonly _meta?: shared.Meta;
}

/** A plan, as last received. Plans differ by their ids. */
export interface PlanItem<Content = Received.PlanUpdateContent> {
  readonly type: "plan";
  readonly planId: string;
  readonly plan: Content;
  /** The agent has removed it: do not show it any more. Only the unstable part of the protocol has that. */
  readonly removed: boolean;
  readonly _meta?: shared.Meta;
}

/** A compaction of the context. */
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
  | PlanItem<Unstable.PlanUpdateContent>
  | shared.NoticeItem
  | CompactionItem<Unstable.ContentBlock>
  | shared.SubagentItem
  | SessionMessageItem<Unstable.ContentBlock>
  | shared.UnknownItem;

/** The items of updates that a newer schema may make stable, if it does. */
type OtherItem<Tag> =
  | shared.UnknownItem
  | (Tag extends "subagent_update" ? shared.SubagentItem : never)
  | (Tag extends "session_message" ? SessionMessageItem : never);
