import type { ContentBlock, Received } from "@acp/schema/v2/types";
import { createDeferred, type Deferred, ignoreRejection } from "../base/promises.ts";
import type { IncomingRequest, Run } from "../rpc/incoming-requests.ts";
import { LazyAbort } from "../base/abort.ts";
import type { OutgoingRequest } from "../rpc/outgoing-requests.ts";
import { isAbortError, isRequestCancelled } from "../base/describe-error.ts";
import { requestCancelled } from "../rpc/wire-errors.ts";
import { UsageError, type WireError } from "../base/errors.ts";
import type { PeerCalls } from "../rpc/peer.ts";
import { backgroundTimer } from "../base/timers.ts";
import { AgentRunContext } from "../session/agent/agent-run-context.ts";
import type { UntypedHandler } from "../session/agent/handler-table.ts";
import { turnClientOf } from "../session/agent/turn-client.ts";
import type { AgentSession } from "./agent-session.ts";
import { type PermissionBody, type PermissionOutcome, RunningAgentTurn, type TurnLink } from "./agent-turn.ts";
import type { OpenSession } from "./open-session.ts";
import type { TurnEnd } from "./vocabulary.ts";

/** How long a handler may think about a prompt before it counts as accepted, in milliseconds. */
const acceptedAfter = 1000;

/** What turns need from their connection. */
export interface TurnHost {
  /** The prompt handler. */
  readonly handler: UntypedHandler;
  /** Tells the diagnostics of a failure of `handler`, and returns what the client is told of it. */
  failed(handler: string, error: unknown): WireError;
  /** What the turn has asked its client and has no answer to. */
  callsOf(turn: object): readonly OutgoingRequest[];
  abandon(calls: readonly OutgoingRequest[], reason: unknown): void;
}

/** Runs the prompt handler as a turn of the session. What it returns or throws comes back to the turn by `request.run`. */
export function runTurn(request: IncomingRequest, session: OpenSession, host: TurnHost): unknown {
  const run = new TurnRun(session, host, request);
  request.run = run;
  return host.handler(request.params, run.context);
}

/** Runs a turn that no prompt asked for. */
export async function runWork(
  session: OpenSession,
  work: (context: unknown) => unknown,
  host: TurnHost,
): Promise<void> {
  const run = new TurnRun(session, host);
  await run.accept();
  try {
    run.succeed(await work(run.context));
  } catch (error) {
    run.fail(error);
  }
}

/**
 * A turn that runs. It aborts when it is cancelled, by whatever means.
 *
 * Until it is accepted, it is a prompt that may be refused: what its handler throws is the answer. Once it is, the prompt
 * is answered, and the session's state tells the rest.
 */
export class TurnRun extends LazyAbort implements TurnLink, Run {
  readonly session: AgentSession<unknown>;
  readonly client: AgentSession["client"];
  readonly turn: RunningAgentTurn;
  readonly context: TurnContext;
  readonly messageId: string | undefined;
  readonly #session: OpenSession;
  readonly #host: TurnHost;
  readonly #request: IncomingRequest | undefined;
  readonly #stopWaiting: () => void;
  #accepted: Promise<void> | undefined;
  /** It was cancelled before it was accepted. */
  #isDropped = false;
  #isLateTold = false;
  #ended: Deferred | undefined;

  constructor(session: OpenSession, host: TurnHost, request?: IncomingRequest) {
    super();
    this.#session = session;
    // Its updates are those of this version.
    this.session = session as unknown as AgentSession<unknown>;
    this.#host = host;
    this.#request = request;
    this.messageId = request && session.nextId("message");
    this.turn = new RunningAgentTurn(this);
    const client = turnClientOf(session.client, [this]);
    this.client = client as unknown as AgentSession["client"];
    this.context = new TurnContext(client, session, this);
    this.#stopWaiting =
      request === undefined ? () => {} : backgroundTimer(() => void ignoreRejection(this.accept()), acceptedAfter);
    session.turns.push(this);
  }

  get id(): string | undefined {
    return this.#request?.id;
  }

  /** Answers the prompt, puts its message into the conversation, and says that the session is running. */
  accept(): Promise<void> {
    if (this.#isDropped) return this.rejectLate();
    if (this.#accepted === undefined) {
      const { messageId } = this;
      this.#stopWaiting();
      this.#request?.answer({ messageId });
      this.#accepted = messageId === undefined ? Promise.resolve() : ignoreRejection(this.#echo(messageId));
      this.#session.foreground.begin(this);
    }
    return this.#accepted;
  }

  #echo(messageId: string): Promise<void> {
    const content = (this.#request?.params as Received.PromptRequest | undefined)?.prompt as ContentBlock[];
    return this.#session.say({ sessionUpdate: "user_message", messageId, content });
  }

  override abort(reason: unknown): void {
    if (this.aborted) return;
    const calls = this.#host.callsOf(this);
    super.abort(reason);
    // The client is asked to take its questions back: it need not know which of them belong to this turn.
    if (calls.length > 0) this.#host.abandon(calls, this.reason);
    if (this.#accepted !== undefined) return;
    // What has not become part of the conversation never will; the next prompt waits for the handler all the same.
    this.#isDropped = true;
    this.#stopWaiting();
    this.turn.ended = true;
    this.#request?.fail(requestCancelled());
  }

  succeed(result: unknown): object {
    if (this.#isDropped) return this.#markEnded();
    void this.accept();
    const end = result as TurnEnd;
    return this.#end(this.aborted ? { ...end, stopReason: "cancelled" } : end);
  }

  /** Without an answer so far, the prompt is refused. */
  fail(error: unknown): object | undefined {
    const isExpected = this.aborted && (isRequestCancelled(error) || isAbortError(error, this));
    if (this.#isDropped) {
      if (!isExpected) this.#failed(error);
      return this.#markEnded();
    }
    if (this.#accepted === undefined) {
      this.#markEnded();
      return undefined;
    }
    return this.#end(isExpected ? { stopReason: "cancelled" } : this.#endOf(error));
  }

  async ask(question: PermissionBody): Promise<PermissionOutcome> {
    if (this.aborted) return { outcome: "cancelled" };
    try {
      const request: PeerCalls["request"] = this.client.request;
      const answer = await request("session/request_permission", question);
      return (answer as Received.RequestPermissionResponse).outcome;
    } catch (error) {
      if (this.aborted) return { outcome: "cancelled" };
      throw error;
    }
  }

  /** A question to the user is on its way: what comes of the turn depends on it. */
  asks(answer: Promise<unknown>): void {
    this.#session.foreground.asks(this, answer);
  }

  signalOf(kind: "call" | "terminal", id: string): AbortSignal {
    const own = this.#session.cancellables.get(kind, id);
    if (own === undefined) return this.signal;
    this.addEventListener("abort", () => own.abort(this.reason));
    return own.signal;
  }

  rejectLate(): Promise<never> {
    if (this.#isDropped) return ignoreRejection(Promise.reject(this.reason));
    const error = new UsageError("The turn has ended; use session.update for updates between turns");
    if (!this.#isLateTold) this.#failed(error);
    this.#isLateTold = true;
    return ignoreRejection(Promise.reject(error));
  }

  nextId(kind: "call" | "message" | "plan" | "terminal"): string {
    return this.#session.nextId(kind);
  }

  /** Settles when it has ended. */
  answered(): Promise<void> {
    this.#ended ??= createDeferred();
    return this.#ended.promise;
  }

  #failed(error: unknown): WireError {
    return this.#host.failed(this.#request === undefined ? "session.run" : "session/prompt", error);
  }

  /** How it ends that something has failed. */
  #endOf(error: unknown): TurnEnd {
    const wire = this.#failed(error);
    return this.aborted ? { stopReason: "cancelled" } : { stopReason: "error", error: wire };
  }

  #end(end: TurnEnd): object {
    const answered = this.#markEnded();
    const session = this.#session;
    session.foreground.end(this, end).catch((error: unknown) => {
      if (session.isSilent) return;
      // What the handler returned cannot be sent, and its client waits for an end.
      const instead = this.#endOf(error);
      if (session.activity === "idle") void session.foreground.tell(instead);
    });
    return answered;
  }

  /** Returns what is answered to a prompt that has its answer: it goes nowhere. */
  #markEnded(): object {
    this.#stopWaiting();
    this.turn.ended = true;
    const { turns } = this.#session;
    turns.splice(turns.indexOf(this), 1);
    this.#ended?.resolve();
    return {};
  }
}

/** What a prompt handler gets beside its params. */
class TurnContext extends AgentRunContext {
  declare readonly turn: RunningAgentTurn;

  constructor(client: OpenSession["client"], session: OpenSession, run: TurnRun) {
    super(client, session, run);
    this.turn = run.turn;
  }
}
