import type { ContentBlock, Received, SessionUpdate } from "@acp/schema/v2/types";
import { isAbortError, isRequestCancelled } from "../base/describe-error.ts";
import type { WireError } from "../base/errors.ts";
import { ignoreRejection } from "../base/promises.ts";
import { backgroundTimer } from "../base/timers.ts";
import type { IncomingRequest } from "../rpc/incoming-requests.ts";
import { readSessionId } from "../rpc/request-table.ts";
import type { PeerCalls } from "../rpc/peer.ts";
import { chosenWireError, internalError, requestCancelled } from "../rpc/wire-errors.ts";
import { bindToTurn, type SessionClient } from "../session/agent/agent-session.ts";
import { TurnContext, type TurnHost, TurnLifecycle } from "../session/agent/turn-lifecycle.ts";
import {
  type AgentTurn,
  createAgentTurn,
  type PermissionBody,
  type PermissionOutcome,
  type TurnLink,
} from "./agent-turn.ts";
import type { ForegroundSession } from "./foreground/foreground-session.ts";
import type { TurnEnd } from "./protocol-types.ts";

/** How long a handler may think about a prompt before the prompt counts as accepted, in milliseconds. */
const acceptedAfter = 1000;

/** Runs the prompt handler as a turn of the session. `request.run` passes its result or error to the turn. */
export function runTurn(request: IncomingRequest, session: ForegroundSession, host: TurnHost): unknown {
  const lifecycle = new ForegroundTurnLifecycle(session, host, request);
  request.run = lifecycle;
  return host.handler(request.params, lifecycle.context);
}

/** Runs a turn that no prompt asked for. */
export async function runWork(
  session: ForegroundSession,
  work: (context: unknown) => unknown,
  host: TurnHost,
): Promise<void> {
  const lifecycle = new ForegroundTurnLifecycle(session, host);
  await lifecycle.accept();
  try {
    lifecycle.succeed(await work(lifecycle.context));
  } catch (error) {
    lifecycle.fail(error);
  }
}

/**
 * A turn of version 2, which outlives its request. Until the prompt is accepted, it may be refused: an error of the handler
 * is the answer. From then on the prompt is answered, and the state of the session reports the rest.
 */
class ForegroundTurnLifecycle extends TurnLifecycle<ForegroundSession> implements TurnLink {
  declare readonly client: SessionClient;
  declare readonly turn: AgentTurn;
  declare readonly context: TurnContext;
  declare readonly messageId: string | undefined;
  readonly #stopWaiting: () => void;
  #accepted: Promise<void> | undefined;
  /** It was cancelled before it was accepted. */
  #isDropped = false;

  constructor(session: ForegroundSession, host: TurnHost, request?: IncomingRequest) {
    super(session, host, request);
    this.messageId = request && session.nextId("message");
    this.client = bindToTurn(session.client, [this]);
    this.turn = createAgentTurn(this);
    this.context = new TurnContext(this.client, this, this.turn);
    this.#stopWaiting =
      request === undefined ? () => {} : backgroundTimer(() => void ignoreRejection(this.accept()), acceptedAfter);
    session.turns.push(this);
  }

  /** Answers the prompt, adds its message to the conversation, and reports that the session is running. */
  accept(): Promise<void> {
    if (this.#isDropped) return this.rejectLate();
    if (this.#accepted === undefined) {
      const { messageId } = this;
      this.#stopWaiting();
      this.request?.answer({ messageId });
      this.#accepted = messageId === undefined ? Promise.resolve() : ignoreRejection(this.#echo(messageId));
      this.session.foreground.begin(this);
    }
    return this.#accepted;
  }

  #echo(messageId: string): Promise<void> {
    const content = (this.request?.params as Received.PromptRequest | undefined)?.prompt as ContentBlock[];
    const update: SessionUpdate = { sessionUpdate: "user_message", messageId, content };
    return this.session.update(update);
  }

  /** A handler that asks for something has accepted the prompt. */
  override onCall(): void {
    void this.accept();
  }

  /** A question without a session belongs to a request, and does not concern the session. */
  override onQuestion(params: unknown, answer: Promise<unknown>): void {
    if (readSessionId(params) !== undefined) this.session.foreground.noteQuestion(this, answer);
  }

  override abort(reason: unknown): void {
    if (this.aborted) return;
    const { connection } = this.host;
    const open = connection.calls.values(({ owner }) => owner === this, [this]);
    super.abort(reason);
    // The questions are cancelled: the client need not know which of them belong to this turn.
    if (open.length > 0) connection.abandon(open, this.reason);
    if (this.#accepted !== undefined) return;
    // The prompt never becomes part of the conversation; the next prompt waits for the handler all the same.
    this.#isDropped = true;
    this.#stopWaiting();
    this.ended = true;
    this.request?.fail(requestCancelled());
  }

  succeed(result: unknown): object {
    if (this.#isDropped) return this.#finish();
    void this.accept();
    const end = result as TurnEnd;
    return this.#end(this.aborted ? { ...end, stopReason: "cancelled" } : end);
  }

  /** Refuses the prompt if it has no answer so far. */
  fail(error: unknown): object | undefined {
    const isExpected = this.aborted && (isRequestCancelled(error) || isAbortError(error, this));
    if (this.#isDropped) {
      if (!isExpected) this.report(error);
      return this.#finish();
    }
    if (this.#accepted === undefined) {
      this.#finish();
      return undefined;
    }
    return this.#end(isExpected ? { stopReason: "cancelled" } : this.#endOf(error));
  }

  async requestPermission(question: PermissionBody): Promise<PermissionOutcome> {
    if (this.aborted) return { outcome: "cancelled" };
    try {
      const send: PeerCalls["request"] = this.client.request;
      const answer = await send("session/request_permission", question);
      return (answer as Received.RequestPermissionResponse).outcome;
    } catch (error) {
      if (this.aborted) return { outcome: "cancelled" };
      throw error;
    }
  }

  signalOf(kind: "call" | "terminal", id: string): AbortSignal {
    const own = this.session.cancellables.get(kind, id);
    if (own === undefined) return this.signal;
    this.addEventListener("abort", () => own.abort(this.reason));
    return own.signal;
  }

  override rejectLate(): Promise<never> {
    return this.#isDropped ? ignoreRejection(Promise.reject(this.reason)) : super.rejectLate();
  }

  /** Reports an error, and returns it as the client receives it. */
  protected override report(error: unknown): WireError {
    const chosen = chosenWireError(error);
    if (chosen !== undefined) return this.host.amend(chosen);
    const subject = this.request === undefined ? "session.run" : this.host.names.prompt;
    return internalError(this.host.connection.reportFailure(subject, error), error);
  }

  /** The end of a turn whose handler has failed. */
  #endOf(error: unknown): TurnEnd {
    const wire = this.report(error);
    return this.aborted ? { stopReason: "cancelled" } : { stopReason: "error", error: wire };
  }

  #end(end: TurnEnd): object {
    const answer = this.#finish();
    const { session } = this;
    session.foreground.end(this, end).catch((error: unknown) => {
      if (session.isSilent) return;
      // The result of the handler cannot be sent, and the client waits for an end.
      const instead = this.#endOf(error);
      if (session.activity === "idle") void session.foreground.report(instead);
    });
    return answer;
  }

  /** Returns an answer that goes nowhere, since the prompt has its answer. */
  #finish(): object {
    this.#stopWaiting();
    this.markEnded();
    return {};
  }
}
