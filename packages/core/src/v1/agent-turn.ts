import type {
  ClientMethods,
  ContentBlock,
  PlanEntry,
  Received,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from "@acp/schema/v1/types";
import type { Abortable } from "../base/abort.ts";
import type { DistributiveOmit } from "../rpc/methods.ts";
import { type MetaOptions, pickMeta } from "../rpc/peer.ts";
import type { AgentSession } from "./agent-session.ts";
import type { MessageOptions, MessageStream } from "../session/agent/message-stream.ts";
import type { AgentTurnMembers, ReportedCallMembers } from "../session/agent/public-members.ts";
import type { Text } from "../session/agent/send-content.ts";
import { type CountingSession, joinShown, sendShown } from "../session/agent/asked-call.ts";
import type { UpdateOf } from "./protocol-types.ts";
import { outputMember, type ToolOutput } from "./tool-output.ts";

export type { MessageOptions } from "../session/agent/message-stream.ts";
export type { Text } from "../session/agent/send-content.ts";

/** A tool call to report. `status` is `in_progress` by default. */
export type NewToolCall = DistributiveOmit<ToolCall, "toolCallId" | "content"> & {
  /** The id of the tool call. Default: an id that is unique in the session. */
  readonly toolCallId?: string | undefined;
  /** The content to show. Default: none. */
  readonly content?: ToolOutput | undefined;
};

/** A change to a reported tool call. Members that you leave out stay unchanged. */
export type ToolCallChange = DistributiveOmit<ToolCallUpdate, "toolCallId" | "content"> & {
  /** The new content. Replaces the previous content. */
  readonly content?: ToolOutput | undefined;
};

/** The outcome of a permission request. */
export type PermissionOutcome = Received.RequestPermissionOutcome;

/** One option of a permission request. */
export type PermissionOption = RequestPermissionRequest["options"][number];

/** A tool call that the agent has reported to the client. */
export interface ReportedToolCall extends ReportedCallMembers<AgentTurn, ToolCallChange, ToolOutput> {
  /**
   * Asks the user for permission to continue. The request repeats the title, kind, locations, arguments and content that
   * were reported last. Default options: allow once, reject once. If the turn is cancelled, the outcome is `cancelled` (PERM-07), as soon as the client
   * responds or after one second.
   *
   * @throws {ProtocolError} the client chose an option that was not offered (PERM-05), or returned an unknown outcome.
   * @throws {RequestError} the client responded with an error.
   */
  requestPermission(options?: readonly PermissionOption[], more?: MetaOptions): Promise<PermissionOutcome>;
}

/**
 * A prompt turn on the agent's side. It ends when the prompt handler returns. After `session/cancel`, the response is
 * `cancelled`, whatever the handler returns or throws (CANC-05).
 *
 * Every method returns a promise that stays pending while the client is slow to read. After the turn has ended, the
 * methods reject with a {@link UsageError}, and a diagnostic reports it. Such a rejection never counts as unhandled.
 */
export interface AgentTurn<out C = ClientMethods> extends AgentTurnMembers<
  AgentSession<unknown, C>,
  ContentBlock,
  UpdateOf<C>
> {
  /** Sends the complete plan, which replaces the previous one (PLAN-02). */
  plan(entries: readonly PlanEntry[], options?: MetaOptions): Promise<void>;
  /** Reports a new tool call. */
  toolCall(call: NewToolCall): Promise<ReportedToolCall>;
}

/** A permission request, but for its session. */
export type PermissionQuestion = Omit<RequestPermissionRequest, "sessionId">;

/** The parts that a turn needs from its runner. */
export interface TurnLink extends Abortable {
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  readonly session: CountingSession;
  /** Joins the parts of its messages. */
  readonly messages: MessageStream;
  readonly ended: boolean;
  requestPermission(question: PermissionQuestion): Promise<PermissionOutcome>;
  /** Rejects for something that comes after the end of the turn. */
  rejectLate(): Promise<never>;
  /** An id that is unique in the session. */
  nextId(kind: "call"): string;
}

const defaultOptions: readonly PermissionOption[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** The turn that a prompt handler gets. */
export function createAgentTurn(link: TurnLink): AgentTurn {
  return new LinkedTurn(link);
}

/** A class with accessors, since an object with getters takes much longer to make. */
class LinkedTurn implements AgentTurn {
  declare readonly session: AgentSession<unknown>;
  readonly #link: TurnLink;

  constructor(link: TurnLink) {
    this.session = link.session as object as AgentSession<unknown>;
    this.#link = link;
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  get ended(): boolean {
    return this.#link.ended;
  }

  message(content: Text | ContentBlock, options?: MessageOptions): Promise<void> {
    return this.#stream("agent_message_chunk", content, options);
  }

  thought(content: Text | ContentBlock, options?: MessageOptions): Promise<void> {
    return this.#stream("agent_thought_chunk", content, options);
  }

  plan(entries: readonly PlanEntry[], options?: MetaOptions): Promise<void> {
    return this.update({ sessionUpdate: "plan", entries: entries as PlanEntry[], ...pickMeta(options) });
  }

  toolCall(call: NewToolCall): Promise<ReportedToolCall> {
    return this.ended ? this.#link.rejectLate() : this.#reportCall(call);
  }

  async #reportCall(made: NewToolCall): Promise<ReportedToolCall> {
    // In JavaScript it may be missing: the update is checked.
    const { content, ...call }: NewToolCall = made ?? {};
    const toolCallId = call.toolCallId ?? this.#link.nextId("call");
    const shown = { ...call, toolCallId, ...outputMember(content) };
    await this.update({ sessionUpdate: "tool_call", status: "in_progress", ...shown });
    return createReportedToolCall(toolCallId, shown, this, this.#link);
  }

  update(body: SessionUpdate): Promise<void> {
    return this.ended ? this.#link.rejectLate() : this.session.update(body);
  }

  offer(body: SessionUpdate): Promise<boolean> {
    return this.ended ? this.#link.rejectLate() : this.session.offer(body);
  }

  #stream(
    kind: "agent_message_chunk" | "agent_thought_chunk",
    content: Text | ContentBlock,
    options: MessageOptions | undefined,
  ): Promise<void> {
    if (this.ended) return this.#link.rejectLate();
    return this.#link.messages.send(kind, content, options, (part) => this.update(part));
  }
}

type ShownCall = Omit<ToolCallUpdate, "toolCallId">;

function createReportedToolCall(id: string, first: ShownCall, turn: AgentTurn, link: TurnLink): ReportedToolCall {
  let shown = joinShown<ShownCall>({}, first);
  const update = (made: ToolCallChange): Promise<void> => {
    const { content, ...changes } = made ?? {};
    const change = { ...changes, ...outputMember(content) };
    let sent: Promise<void>;
    // A question about the call repeats it: an earlier title would take this one back.
    [shown, sent] = sendShown(shown, change, link.session, () =>
      turn.update({ sessionUpdate: "tool_call_update", toolCallId: id, ...change }),
    );
    return sent;
  };
  const finish = (status: "completed" | "failed", content?: ToolOutput, options?: MetaOptions): Promise<void> =>
    update({ status, content, ...pickMeta(options) });
  return {
    id,
    turn,
    update,
    complete: (content, options) => finish("completed", content, options),
    fail: (content, options) => finish("failed", content, options),
    requestPermission(options, more) {
      if (turn.ended) return link.rejectLate();
      return link.requestPermission({
        toolCall: { toolCallId: id, ...shown },
        options: (options ?? defaultOptions) as PermissionOption[],
        ...pickMeta(more),
      });
    },
  };
}
