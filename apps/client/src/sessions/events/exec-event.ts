// The events of `acp exec --format json`, in every version of the protocol. They are a format that programs rely on: members
// are added, and never renamed or removed, within a version. `schema/exec-events.schema.json` describes their members.
import type { AskedFact } from "@acp/core/state";
import type { Command, ContentBlock, DiffLine, PermissionOption, PlanEntry, TerminalExit, Usage } from "@acp/render";

import { info } from "../../cli/version.ts";
import type { FailureCode } from "../../protocol/failure.ts";

/** The version of the format: in the first event of each run. */
const formatVersion = 1;

/** One line of the stream, without the members that are `undefined`. */
export type ExecEvent = (
  | StartEvent
  | AgentEvent
  | SessionEvent
  | PromptEvent
  | MessageEvent
  | ToolCallEvent
  | ToolCallUpdateEvent
  | TerminalEvent
  | { readonly type: "plan"; readonly entries: readonly PlanEntry[] }
  | ({ readonly type: "usage" } & Usage)
  | { readonly type: "mode"; readonly mode: string }
  | { readonly type: "title"; readonly title: string }
  | { readonly type: "commands"; readonly commands: readonly Command[] }
  | { readonly type: "compaction"; readonly status: string }
  | NoticeEvent
  | PermissionEvent
  | ErrorEvent
  | EndEvent
) & {
  /** The session that the agent has opened by itself, for a subagent perhaps, if it happened there. */
  readonly subagent?: string;
};

export interface StartEvent {
  readonly type: "start";
  readonly version: typeof formatVersion;
  readonly program: string;
  readonly time: string;
  readonly cwd: string;
  readonly command: readonly string[];
  readonly name?: string | undefined;
}

/** The event of a run that begins now. */
export function startEvent(cwd: string, command: readonly string[], name: string | undefined): StartEvent {
  const time = new Date().toISOString();
  return { type: "start", version: formatVersion, program: info.version, time, cwd, command, name };
}

export interface AgentEvent {
  readonly type: "agent";
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly version?: string | undefined;
  readonly protocol: number;
}

export interface SessionEvent {
  readonly type: "session";
  readonly sessionId: string;
  readonly opened: "new" | "resumed" | "loaded";
  readonly name?: string | undefined;
}

export interface PromptEvent {
  readonly type: "prompt";
  readonly text: string;
  readonly attachments: readonly string[];
}

/** A part of a message, or of a thought of the agent. */
export interface MessageEvent {
  readonly type: "message" | "thought";
  /** Only in a message. `user` is what the agent repeats or adds in the name of the user. */
  readonly speaker?: "agent" | "user";
  readonly messageId?: string | undefined;
  readonly text: string;
  readonly content?: ContentBlock | undefined;
  /** This is all of the message: forget what came before under this id. */
  readonly replaces?: true;
}

export interface ToolCallEvent extends CallState {
  readonly type: "tool_call";
  readonly toolCallId: string;
}

/** A tool call has changed: the members that have changed, each as a whole. */
export interface ToolCallUpdateEvent extends Partial<CallState> {
  readonly type: "tool_call_update";
  readonly toolCallId: string;
}

export interface CallState {
  readonly title: string;
  readonly kind: string;
  readonly status: string;
  readonly locations: readonly { readonly path: string; readonly line?: number | null }[];
  readonly content: readonly CallContent[];
  readonly commands: readonly string[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** The tool has failed, also if the agent calls it `completed`: a command that ended with 1, a result that is an error. */
  readonly hasFailed?: true;
}

export type CallContent =
  | { readonly type: "content"; readonly content: ContentBlock }
  | { readonly type: "terminal"; readonly terminalId: string }
  /** `lines` are those of a unified diff, without the names of the files. */
  | { readonly type: "diff"; readonly path: string; readonly isNew: boolean; readonly lines: readonly DiffLine[] };

export interface TerminalEvent {
  readonly type: "terminal";
  readonly terminalId: string;
  readonly command?: string | undefined;
  readonly text?: string | undefined;
  readonly exit?: TerminalExit | undefined;
}

export interface NoticeEvent {
  readonly type: "notice";
  readonly from: "agent" | "acp";
  readonly title: string;
  readonly description?: string | undefined;
}

export interface PermissionEvent {
  readonly type: "permission";
  /** Who asks: the agent, or this program about something that the agent does without asking. */
  readonly from: "agent" | "acp";
  readonly toolCallId?: string | undefined;
  readonly title: string;
  readonly description?: string | undefined;
  readonly kind: string;
  readonly commands: readonly string[];
  readonly directories: readonly string[];
  readonly paths: readonly string[];
  readonly details: readonly { readonly name: string; readonly value: string }[];
  /**
   * All that the request asks for, in the order in which a question shows it, with what was announced earlier. Secrets in
   * variables are masked.
   */
  readonly facts: readonly AskedFact<CallContent>[];
  readonly options: readonly PermissionOption[];
  /** The option that was chosen; `null` if none fits. */
  readonly answer: PermissionOption | null;
  readonly isAllowed: boolean;
  /** `rule`: a rule of the policy or of `--allow-…`; `policy`: all or yes; `nobody`: nobody was there to ask. */
  readonly reason: "rule" | "policy" | "nobody";
  /** What permits it, as it was written: `--allow-read`, `policy edit`. Not with `nobody`. */
  readonly by?: string | undefined;
}

export interface ErrorEvent {
  readonly type: "error";
  readonly code: FailureCode;
  readonly message: string;
  readonly advice?: string | undefined;
  readonly details: readonly string[];
  readonly exitCode: number;
}

export interface EndEvent {
  readonly type: "end";
  /** `null` if the turn did not begin, or its end is unknown. */
  readonly stopReason: string | null;
  /** All messages of the agent in this turn, with an empty line between them. */
  readonly text: string;
  /** What the agent said after its last tool call: what `--format quiet` prints. */
  readonly lastMessage: string;
  readonly usage: Usage | null;
  readonly toolCalls: number;
  readonly duration: number;
  readonly exitCode: number;
}
