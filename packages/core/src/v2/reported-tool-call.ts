import type { ContentBlock, ToolCallContent, ToolCallUpdate } from "@acp/schema/v2/types";
import { type MetaOptions, pickMeta } from "../rpc/peer.ts";
import { shownOutput, toolOutput } from "../session/agent/tool-output.ts";
import type { AgentTurn, PermissionOutcome, PermissionQuestion, TurnLink } from "./agent-turn.ts";

/** What goes into a tool call as content: text, content blocks, or the protocol's own items. */
export type ToolOutput = string | readonly (ToolCallContent | ContentBlock)[];

/** A tool call to report. `status` is `in_progress` by default. */
export type NewToolCall = Omit<ToolCallUpdate, "toolCallId" | "title" | "content"> & {
  /** What the tool does, for users. */
  readonly title: string;
  /** Default: an id that is unique in the session. */
  readonly toolCallId?: string | undefined;
  /** What to show in it. Default: nothing yet. */
  readonly content?: ToolOutput | undefined;
};

/** What may change in a reported tool call. Members that are left out stay as they are, `null` clears. */
export type ToolCallChange = Omit<ToolCallUpdate, "toolCallId" | "content"> & {
  /** Replaces the content so far; `null` clears it. */
  readonly content?: ToolOutput | null | undefined;
};

/**
 * A tool call that the client was told of. It may outlive its turn, as background work: say so in the `background` of what
 * the prompt handler returns, and report how it ends.
 */
export interface ReportedToolCall {
  /** The id of the tool call. */
  readonly id: string;
  /** The turn that began it. */
  readonly turn: AgentTurn;
  /**
   * Aborts when its turn is cancelled. That of a call that was reported with `capabilities: { cancel: {} }` also aborts when
   * the client cancels the call with `tool_call/cancel`, in the turn or after it, and when the session ends. Report how the
   * call ends then: `cancelled`, or what came first.
   */
  readonly signal: AbortSignal;
  /** Reports a change. */
  update(change: ToolCallChange): Promise<void>;
  /** Adds to the content, an item at a time. */
  append(content: ToolOutput, options?: MetaOptions): Promise<void>;
  /** Reports success: the status `completed`. `content`, if given, replaces what was shown. */
  complete(content?: ToolOutput, options?: MetaOptions): Promise<void>;
  /** Reports failure: the status `failed`. `content` says what went wrong, for the user to read. */
  fail(content?: ToolOutput, options?: MetaOptions): Promise<void>;
  /** Reports that it was given up: the status `cancelled`. */
  cancelled(content?: ToolOutput, options?: MetaOptions): Promise<void>;
  /**
   * Asks the user before going on. The question is about this call, and has its title unless it has one of its own; see
   * {@link AgentTurn.requestPermission}.
   */
  requestPermission(question?: Partial<Omit<PermissionQuestion, "subject">>): Promise<PermissionOutcome>;
}

/** A tool call of which the client has just been told. */
export function createReportedToolCall(
  id: string,
  firstTitle: string,
  turn: AgentTurn,
  link: TurnLink,
): ReportedToolCall {
  let title = firstTitle;
  let signal: AbortSignal | undefined;
  // In its turn it is a word of the turn, and later one of the session.
  const update: AgentTurn["update"] = (made) => (turn.ended ? turn.session : turn).update(made);
  const change = ({ content, ...changes }: ToolCallChange): Promise<void> => {
    title = changes.title ?? title;
    return update({ sessionUpdate: "tool_call_update", toolCallId: id, ...changes, ...shownOutput(content) });
  };
  const end =
    (status: "completed" | "failed" | "cancelled") =>
    (content?: ToolOutput, options?: MetaOptions): Promise<void> =>
      change({ status, content, ...pickMeta(options) });
  return {
    id,
    turn,
    get signal() {
      signal ??= link.signalOf("call", id);
      return signal;
    },
    update: change,
    append: async (content, options) => {
      for (const item of toolOutput(content)) {
        await update({ sessionUpdate: "tool_call_content_chunk", toolCallId: id, content: item, ...pickMeta(options) });
      }
    },
    complete: end("completed"),
    fail: end("failed"),
    cancelled: end("cancelled"),
    requestPermission: (question) =>
      turn.requestPermission({ title, ...question, subject: { type: "tool_call", toolCall: { toolCallId: id } } }),
  };
}
