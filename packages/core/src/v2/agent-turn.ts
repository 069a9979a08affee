import type {
  ClientMethods,
  ContentBlock,
  PlanEntry,
  Received,
  RequestPermissionRequest,
  SessionUpdate,
} from "@acp/schema/v2/types";
import type { Abortable } from "../base/abort.ts";
import { UsageError } from "../base/errors.ts";
import { type MetaOptions, pickMeta } from "../rpc/peer.ts";
import type { CountingSession } from "../session/agent/asked-call.ts";
import type { MessageOptions, MessageStream } from "../session/agent/message-stream.ts";
import type { AgentTurnMembers } from "../session/agent/public-members.ts";
import type { Text } from "../session/agent/send-content.ts";
import type { AgentSession } from "./agent-session.ts";
import { createReportedTerminal, type NewTerminal, type ReportedTerminal } from "./reported-terminal.ts";
import { createReportedToolCall, type NewToolCall, type ReportedToolCall } from "./reported-tool-call.ts";
import type { UpdateOf } from "./protocol-types.ts";
import { shownOutput } from "./tool-output.ts";

export type { MessageOptions } from "../session/agent/message-stream.ts";
export type { Text } from "../session/agent/send-content.ts";

/** The outcome of a permission request. Only an offered option that allows the request counts as permission. */
export type PermissionOutcome = Received.RequestPermissionOutcome;

/** One option of a permission request. */
export type PermissionOption = RequestPermissionRequest["options"][number];

/** A permission request. */
export type PermissionQuestion = Omit<RequestPermissionRequest, "sessionId" | "options"> & {
  /** The options to choose from. Default: allow once, reject once. */
  readonly options?: readonly PermissionOption[] | undefined;
};

/** Options of a plan. */
export interface PlanOptions extends MetaOptions {
  /** The id of the plan. Default: the id of this turn's plan. */
  readonly planId?: string | undefined;
}

/**
 * A turn on the agent's side. It starts with a prompt or with `session.run`, and ends when its handler returns.
 *
 * The first update or call of the turn accepts the prompt: the agent responds with the id of the prompt's message,
 * sends the message to the client as `user_message`, and the session is `running`. A handler that throws before that
 * refuses the prompt: the client gets an error, and nothing has happened in the session. If the handler sends nothing
 * for one second, the prompt is accepted as well, so that the user need not wait for a sign. Call {@link accept} to
 * accept it earlier.
 *
 * When the handler returns, the session is idle, with the stop reason. If it throws after the prompt is accepted, the
 * stop reason is `error`, with the error of a `RequestError`, or otherwise a bare `-32603` with the correlation id of
 * the diagnostic. After `session/cancel`, the stop reason is `cancelled`, whatever the handler returns or throws.
 *
 * Every method returns a promise that stays pending while the client is slow to read. After the turn has ended, the
 * methods reject with a {@link UsageError}, and a diagnostic reports it. Such a rejection never counts as unhandled.
 */
export interface AgentTurn<out C = ClientMethods> extends AgentTurnMembers<
  AgentSession<unknown, C>,
  ContentBlock,
  UpdateOf<C>
> {
  /**
   * Aborts on `session/cancel`, when the prompt is cancelled before it is accepted, when the session ends, and when the
   * client is gone.
   */
  readonly signal: AbortSignal;
  /** The client, as in the handler's context. Its calls belong to this turn. */
  readonly client: AgentSession<unknown, C>["client"];
  /** The id of the prompt's message; `undefined` in a turn without a prompt. */
  readonly messageId: string | undefined;
  /** Accepts the prompt now, before you send anything. It has no effect if the prompt is already accepted. */
  accept(): Promise<void>;
  /** Sends the complete plan, which replaces the previous one with the same `planId`. */
  plan(entries: readonly PlanEntry[], options?: PlanOptions): Promise<void>;
  /** Reports a new tool call. */
  toolCall(call: NewToolCall): Promise<ReportedToolCall>;
  /** Reports a new terminal, in which the client shows a command that the agent runs. */
  terminal(terminal: NewTerminal): Promise<ReportedTerminal>;
  /**
   * Asks the user whether the agent may do something. The session is `requires_action` until the user answers. If the
   * turn is cancelled, the question is withdrawn, and the outcome is `cancelled`.
   *
   * @throws {ProtocolError} the client chose an option that was not offered, or returned an unreadable outcome.
   * @throws {RequestError} the client responded with an error.
   */
  requestPermission(question: PermissionQuestion): Promise<PermissionOutcome>;
}

/** The parts that a turn needs from its runner. */
export interface TurnLink extends Abortable {
  readonly signal: AbortSignal;
  readonly session: CountingSession;
  /** Joins the parts of its messages. */
  readonly messages: MessageStream;
  readonly client: object;
  readonly messageId: string | undefined;
  readonly ended: boolean;
  accept(): Promise<void>;
  requestPermission(question: PermissionBody): Promise<PermissionOutcome>;
  /** Aborts when the client cancels this tool call or terminal, or its turn. */
  signalOf(kind: "call" | "terminal", id: string): AbortSignal;
  /** Rejects for something that comes after the end of the turn. */
  rejectLate(): Promise<never>;
  /** An id that is unique in the session. */
  nextId(kind: "call" | "message" | "plan" | "terminal"): string;
}

/** A question for permission, but for its session. */
export type PermissionBody = Omit<RequestPermissionRequest, "sessionId">;

const defaultOptions: PermissionOption[] = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** The turn that a handler gets. */
export function createAgentTurn(link: TurnLink): AgentTurn {
  return new LinkedTurn(link);
}

/** A class with accessors, since an object with getters takes much longer to make. */
class LinkedTurn implements AgentTurn {
  declare readonly session: AgentSession<unknown>;
  declare readonly client: AgentSession["client"];
  readonly #link: TurnLink;
  #planId: string | undefined;

  constructor(link: TurnLink) {
    this.session = link.session as object as AgentSession<unknown>;
    this.client = link.client as AgentSession["client"];
    this.#link = link;
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  get ended(): boolean {
    return this.#link.ended;
  }

  get messageId(): string | undefined {
    return this.#link.messageId;
  }

  accept(): Promise<void> {
    return this.ended ? this.#link.rejectLate() : this.#link.accept();
  }

  message(content: Text | ContentBlock, options?: MessageOptions): Promise<void> {
    return this.#stream("agent_message_chunk", content, options);
  }

  thought(content: Text | ContentBlock, options?: MessageOptions): Promise<void> {
    return this.#stream("agent_thought_chunk", content, options);
  }

  plan(entries: readonly PlanEntry[], options?: PlanOptions): Promise<void> {
    const planId = options?.planId ?? (this.#planId ??= this.#link.nextId("plan"));
    const plan = { type: "items" as const, planId, entries: entries as PlanEntry[] };
    return this.update({ sessionUpdate: "plan_update", plan, ...pickMeta(options) });
  }

  async toolCall(made: NewToolCall): Promise<ReportedToolCall> {
    if (typeof made?.title !== "string") throw new UsageError("turn.toolCall: expected an object with title");
    const { content, ...call } = made;
    const toolCallId = call.toolCallId ?? this.#link.nextId("call");
    const shown = { ...call, toolCallId, ...shownOutput(content) };
    await this.update({ sessionUpdate: "tool_call_update", status: "in_progress", ...shown });
    return createReportedToolCall(toolCallId, shown, this, this.#link);
  }

  async terminal(made: NewTerminal): Promise<ReportedTerminal> {
    const terminalId = made?.terminalId ?? this.#link.nextId("terminal");
    await this.update({ sessionUpdate: "terminal_update", ...made, terminalId });
    return createReportedTerminal(terminalId, this, this.#link);
  }

  requestPermission(made: PermissionQuestion): Promise<PermissionOutcome> {
    const { options = defaultOptions, ...question } = made ?? {};
    if (this.ended) return this.#link.rejectLate();
    return this.#link.requestPermission({ ...question, options: options as PermissionOption[] });
  }

  update(update: SessionUpdate): Promise<void> {
    if (this.ended) return this.#link.rejectLate();
    void this.#link.accept();
    return this.session.update(update);
  }

  offer(update: SessionUpdate): Promise<boolean> {
    if (this.ended) return this.#link.rejectLate();
    void this.#link.accept();
    return this.session.offer(update);
  }

  #stream(
    sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
    content: Text | ContentBlock,
    options: MessageOptions | undefined,
  ): Promise<void> {
    if (this.ended) return this.#link.rejectLate();
    return this.#link.messages.send(sessionUpdate, content, options, (part) => this.update(part));
  }
}
