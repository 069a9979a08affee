import type { Received } from "@acp/schema/v1/unstable/types";
import type { EarlierAnnouncements } from "./earlier.ts";
import type { List } from "./list.ts";

// Where versions 1 and 2 have equal types, these items take those of version 1. Only content blocks differ.

/** Custom data as last received (EXT-01). Version 2 patches it name by name. */
export type Meta = { readonly [key: string]: unknown };

/** Who speaks. */
export type MessageType = "user_message" | "agent_message" | "agent_thought";

/** A notice to the user. No agent sends a notice again, not even in a replay. */
export interface NoticeItem {
  readonly type: "notice";
  /** How serious it is. Show a severity that you do not know in a general way (NOTC-05). */
  readonly severity: Received.NoticeSeverity;
  /** What it is about, in short. */
  readonly title: string;
  /** More about it. */
  readonly description?: string;
  readonly _meta?: Meta;
}

/** The members that a tool call has in both versions. */
export interface AnyToolCallItem<Kind, Location, Content> {
  readonly type: "tool_call";
  readonly toolCallId: string;
  /** The name of the tool, for programs. */
  readonly name?: string;
  /** What kind of tool it is. Default: `other`. */
  readonly kind: Kind;
  /** The files that it is about, as last received; at first empty. */
  readonly locations: readonly Location[];
  /** The arguments of the call, as the agent reports them. */
  readonly rawInput?: unknown;
  /** The result of the call, as the agent reports it. */
  readonly rawOutput?: unknown;
  /** What the agent announced of the call before it announced something else: a question shows that, too. */
  readonly earlier?: EarlierAnnouncements<Content, Location>;
  readonly _meta?: Meta;
}

/** A compaction of the context (NOTC-07). */
export interface CompactionItem<Block> {
  readonly type: "compaction";
  readonly compactionId: string;
  readonly status: Received.CompactionStatus;
  /** The summary that replaces the context; `joinText` returns its text. */
  readonly summary: List<Block>;
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

/** A subagent's session. */
export interface SubagentItem {
  readonly type: "subagent";
  readonly sessionId: string;
  readonly title?: string;
  readonly description?: string;
  /** What the client may do with it. */
  readonly capabilities?: Received.SubagentSessionCapabilities;
  readonly state?: Received.StateUpdate;
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[];
  readonly _meta?: Meta;
}

/** A message between two sessions. */
export interface SessionMessageItem<Block> {
  readonly type: "session_message";
  readonly messageId: string;
  readonly senderSessionId?: string;
  readonly recipientSessionId?: string;
  readonly senderMessageId?: string;
  readonly recipientMessageId?: string;
  /** `joinText` returns its text. */
  readonly content: List<Block>;
  readonly _meta?: Meta;
}

/** The title of a session and the time of its last activity. */
export interface SessionInfoState {
  /** Its title, if the agent sent one. */
  readonly title?: string;
  /** The time of its last activity, if the agent sent one: ISO 8601. */
  readonly updatedAt?: string;
  readonly _meta?: Meta;
}
