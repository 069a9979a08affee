import type { SessionUpdate, ToolCallUpdate } from "@acp/schema/v2/types";
import { type MetaOptions, pickMeta } from "../rpc/peer.ts";
import { joinShown, sendShown } from "../session/agent/asked-call.ts";
import type { ReportedCallMembers } from "../session/agent/public-members.ts";
import type { AgentTurn, PermissionOutcome, PermissionQuestion, TurnLink } from "./agent-turn.ts";
import { shownOutput, type ToolOutput, toolOutput } from "./tool-output.ts";

/** A tool call to report. `status` is `in_progress` by default. */
export type NewToolCall = Omit<ToolCallUpdate, "toolCallId" | "title" | "content"> & {
  /** What the tool call does, for users. */
  readonly title: string;
  /** The id of the tool call. Default: an id that is unique in the session. */
  readonly toolCallId?: string | undefined;
  /** The content to show. Default: none. */
  readonly content?: ToolOutput | undefined;
};

/** A change to a reported tool call. Members that you leave out stay unchanged; `null` clears a member. */
export type ToolCallChange = Omit<ToolCallUpdate, "toolCallId" | "content"> & {
  /** The new content. Replaces the previous content; `null` clears it. */
  readonly content?: ToolOutput | null | undefined;
};

/**
 * A tool call that the agent has reported to the client. It may outlive its turn as background work: list it in the
 * `background` that the prompt handler returns, and report how it ends.
 */
export interface ReportedToolCall extends ReportedCallMembers<AgentTurn, ToolCallChange, ToolOutput> {
  /**
   * Aborts when the turn is cancelled. If you reported the call with `capabilities: { cancel: {} }`, it also aborts
   * when the client cancels the call with `tool_call/cancel`, during the turn or after it, and when the session ends.
   * Then report how the call ends: `cancelled`, or whatever happened first.
   */
  readonly signal: AbortSignal;
  /** Appends to the content, one item at a time. */
  append(content: ToolOutput, options?: MetaOptions): Promise<void>;
  /** Reports that the call was cancelled, with status `cancelled`. */
  cancelled(content?: ToolOutput, options?: MetaOptions): Promise<void>;
  /**
   * Asks the user for permission for this call. The question has the call's title unless you pass another one, and repeats its
   * kind, locations, arguments and, unless you appended to it, content; see
   * {@link AgentTurn.requestPermission}.
   */
  requestPermission(question?: Partial<Omit<PermissionQuestion, "subject">>): Promise<PermissionOutcome>;
}

type ShownCall = Omit<ToolCallUpdate, "toolCallId">;

/** A tool call that was just reported to the client. */
export function createReportedToolCall(
  id: string,
  first: ShownCall,
  turn: AgentTurn,
  link: TurnLink,
): ReportedToolCall {
  let shown = joinShown<ShownCall>({}, first);
  let signal: AbortSignal | undefined;
  // In its turn it is a word of the turn, and later one of the session.
  const update = (made: SessionUpdate, changed: object): Promise<void> => {
    let sent: Promise<void>;
    [shown, sent] = sendShown(shown, changed, link.session, () => (turn.ended ? turn.session : turn).update(made));
    return sent;
  };
  const change = (changed: ToolCallChange): Promise<void> => {
    const { content, ...changes } = changed ?? {};
    const made = { ...changes, ...shownOutput(content) };
    return update({ sessionUpdate: "tool_call_update", toolCallId: id, ...made }, made);
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
      for (const item of [toolOutput(content)].flat()) {
        const chunk = { sessionUpdate: "tool_call_content_chunk", toolCallId: id, content: item } as const;
        // Growing content is not kept, and repeating the rest would discard it.
        await update({ ...chunk, ...pickMeta(options) }, { content: null });
      }
    },
    complete: end("completed"),
    fail: end("failed"),
    cancelled: end("cancelled"),
    requestPermission: (question) => {
      const subject = { type: "tool_call", toolCall: { toolCallId: id, ...shown } } as const;
      return turn.requestPermission({ title: shown.title ?? "", ...question, subject });
    },
  };
}
