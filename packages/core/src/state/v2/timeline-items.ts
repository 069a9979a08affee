import type { Received } from "@acp/schema/v2/types";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import type { List } from "../shared/list.ts";

/** Custom data, name by name as it was last received. */
type Meta = { readonly [key: string]: unknown };

/** Who speaks. */
export type MessageType = "user_message" | "agent_message" | "agent_thought";

/** A message. Each of the three types has its own ids. */
export interface MessageItem {
  /** Who speaks. */
  readonly type: MessageType;
  readonly messageId: string;
  /** Its content. `joinText` and `joinBlocks` put it together; `slice` gives what is new. */
  readonly chunks: List<Received.ContentBlock>;
  /**
   * It is a prompt of this client that the agent has accepted, but not told of yet: so these are the blocks that were
   * sent. What the agent tells takes their place.
   */
  readonly unconfirmed?: true;
  readonly _meta?: Meta;
}

/** A tool call, with all that was told of it so far. */
export interface ToolCallItem {
  readonly type: "tool_call";
  readonly toolCallId: string;
  /** What the tool does, for users; missing until the agent has told it. */
  readonly title?: string;
  /** The name of the tool, for programs. */
  readonly name?: string;
  /** What kind of tool it is. Default: `other`. */
  readonly kind: Received.ToolKind;
  /**
   * Default: `pending`. Show a status that you do not know like `in_progress`.
   *
   * A call that is not finished becomes `cancelled` when the client sends `session/cancel`, when the work that it is part of
   * ends with `cancelled` or `error`, and when the session ends; not one that the agent lists as work in the background, but
   * when the session ends. What the agent tells later counts.
   */
  readonly status: Received.ToolCallStatus;
  /** What the tool has produced; at first empty. A terminal in it is one of `SessionState.terminals`. */
  readonly content: List<Received.ToolCallContent>;
  /** The files that it is about, as told last; at first empty. */
  readonly locations: readonly Received.ToolCallLocation[];
  /** What the tool was called with, as the agent told it. */
  readonly rawInput?: unknown;
  /** What the tool returned, as the agent told it. */
  readonly rawOutput?: unknown;
  /** What the client may do with the call. `isCancellable` reads it. */
  readonly capabilities?: Received.ToolCallCapabilities;
  readonly _meta?: Meta;
}

/** A terminal of the agent. A tool call shows it by its id, or it runs in the background. */
export interface TerminalItem {
  readonly type: "terminal";
  readonly terminalId: string;
  readonly command?: string;
  /** The directory that the command runs in: an absolute path. */
  readonly cwd?: string;
  /** The output, in pieces of base64 as they came. `terminalBytes` and `terminalText` put them together. */
  readonly output: List<string>;
  /** How the command has ended; missing while it runs. */
  readonly exitStatus?: Received.TerminalExitStatus;
  /** How large the terminal is, in characters. */
  readonly size?: Received.TerminalSize;
  /** What the client may do with the terminal. `isCancellable` reads it. */
  readonly capabilities?: Received.TerminalCapabilities;
  readonly _meta?: Meta;
}

/** A plan, as told last. The agent tells its plans apart by their ids. */
export interface PlanItem<Content = Received.PlanUpdateContent> {
  readonly type: "plan";
  readonly planId: string;
  readonly plan: Content;
  /** The agent has removed it, so it is no longer to be shown. Only the unstable part of the protocol has that. */
  readonly removed: boolean;
  readonly _meta?: Meta;
}

/** Something that the user should know. No agent tells it again, neither in a replay. */
export interface NoticeItem {
  readonly type: "notice";
  /** How serious it is. Show one that you do not know in a general way. */
  readonly severity: Received.NoticeSeverity;
  /** What it is about, in short. */
  readonly title: string;
  /** More about it. */
  readonly description?: string;
  readonly _meta?: Meta;
}

/** A compaction of the context. */
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

/** An update of a kind that this version does not know, or that could not be read. */
export interface UnknownItem {
  readonly type: "unknown";
  /** The update as it came. */
  readonly received: Readonly<Record<string, unknown>>;
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
export type UnstableTimelineItem =
  | TimelineItem
  | PlanItem<Unstable.PlanUpdateContent>
  | SubagentItem
  | SessionMessageItem;

/** The items that are found by their ids. Ids are compared among items of one type. */
export type ItemWithId = Exclude<UnstableTimelineItem, NoticeItem | UnknownItem>;
