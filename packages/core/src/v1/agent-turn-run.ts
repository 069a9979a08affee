import type { CallOptions } from "../connection/connection.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { LazyAbort } from "../connection/lazy-abort.ts";
import { isAbort } from "../connection/thrown.ts";
import type { AgentRole } from "../protocol/role.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import { type PermissionOutcome, type PermissionQuestion, RunningAgentTurn, type TurnLink } from "./agent-turn.ts";
import type { UntypedHandler } from "./handler-table.ts";
import type { OpenSession } from "./open-session.ts";
import { isOverdue } from "./overdue.ts";
import { cancelledOutcome } from "./permission.ts";

/** What turns need from their connection. */
export interface TurnHost {
  readonly role: AgentRole;
  readonly handler: UntypedHandler;
  requestPermission(
    session: OpenSession,
    question: PermissionQuestion,
    options: CallOptions,
  ): Promise<PermissionOutcome>;
  reportFailure(error: unknown): void;
}

/**
 * Runs the prompt handler as the session's turn.
 *
 * Once the turn is cancelled, the answer is `cancelled`, whatever the handler throws or returns
 * (CANC-05, CANC-06). A prompt that was taken back by `$/cancel_request` instead has the handler's answer, or throws
 * on: it is answered -32800 then.
 */
export async function runTurn(request: IncomingRequest, session: OpenSession, host: TurnHost): Promise<unknown> {
  const run = new TurnRun(request, session, host);
  session.turn = run;
  request.addEventListener("abort", () => run.abort(request.reason));
  const turn = new RunningAgentTurn(run);
  if (host.role.turn !== undefined) Object.assign(turn, host.role.turn(turn));
  try {
    const response = await host.handler(request.params, new PromptContext(session, turn, run));
    return run.isCancelled ? { ...(response as object), stopReason: "cancelled" } : response;
  } catch (error) {
    if (!run.isCancelled) throw error;
    if (!isAbort(error, run)) host.reportFailure(error);
    return { stopReason: "cancelled" };
  } finally {
    turn.ended = true;
    session.turn = undefined;
    run.markAnswered();
  }
}

/** A turn that runs. It aborts when it is cancelled, by whatever means. */
class TurnRun extends LazyAbort implements TurnLink {
  readonly session: OpenSession;
  readonly #request: IncomingRequest;
  readonly #host: TurnHost;
  #isAnswered = false;
  /** Of those who wait for the answer; hardly any turn has any. */
  #answered: Promise<void> | undefined;
  #tellAnswered: (() => void) | undefined;

  constructor(request: IncomingRequest, session: OpenSession, host: TurnHost) {
    super();
    this.session = session;
    this.#request = request;
    this.#host = host;
  }

  /** By `session/cancel`, or with its session; and not because its prompt was taken back. */
  get isCancelled(): boolean {
    return this.aborted && this.reason !== this.#request.reason;
  }

  nextId(kind: "call" | "message"): string {
    return this.session.nextId(kind);
  }

  async requestPermission(question: PermissionQuestion): Promise<PermissionOutcome> {
    if (this.aborted) return cancelledOutcome.outcome;
    const giveUp = new LazyAbort();
    const asking = this.#host.requestPermission(this.session, question, { signal: giveUp });
    // After `session/cancel` the client answers (PERM-07). Of a prompt that it takes back it may not know what that asked.
    if (await isOverdue(asking, this, () => (this.#request.aborted ? 0 : 1000))) giveUp.abort(this.reason);
    return asking.catch((error: unknown) => {
      // Some answer -32800 (RCAN-08).
      if (this.aborted) return cancelledOutcome.outcome;
      throw error;
    });
  }

  /** Settles when it has been answered. */
  answered(): Promise<void> {
    this.#answered ??= new Promise((resolve) => {
      // The answer is written in the microtasks that follow; whoever waits for it comes after.
      this.#tellAnswered = () => void setTimeout(resolve, 0);
      if (this.#isAnswered) this.#tellAnswered();
    });
    return this.#answered;
  }

  markAnswered(): void {
    this.#isAnswered = true;
    this.#tellAnswered?.();
  }
}

/** What a prompt handler gets beside its params. */
class PromptContext extends AgentRunContext {
  readonly turn: RunningAgentTurn;

  constructor(session: OpenSession, turn: RunningAgentTurn, run: TurnRun) {
    super(session.client, session, run);
    this.turn = turn;
  }
}
