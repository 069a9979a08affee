import type { IncomingRequest } from "../connection/incoming-request.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import type { CallOptions } from "../connection/connection.ts";
import { LazyAbort } from "../connection/lazy-abort.ts";
import { isAbort } from "../connection/thrown.ts";
import type { AgentRole } from "../protocol/role.ts";
import { RunningAgentTurn, type PermissionOutcome, type PermissionQuestion } from "./agent-turn.ts";
import type { UntypedHandler } from "./handler-table.ts";
import type { OpenSession } from "./open-session.ts";
import { isOverdue } from "./overdue.ts";
import { cancelledOutcome } from "./permission.ts";

export interface TurnRunOptions {
  readonly request: IncomingRequest;
  readonly session: OpenSession;
  readonly role: AgentRole;
  readonly handler: UntypedHandler;
  requestPermission(question: PermissionQuestion, options: CallOptions): Promise<PermissionOutcome>;
  reportFailure(error: unknown): void;
}

/**
 * Runs the prompt handler as the session's turn.
 *
 * Once the turn is cancelled, the answer is `cancelled`, whatever the handler throws or returns
 * (CANC-05, CANC-06). A prompt that was taken back by `$/cancel_request` instead has the handler's answer, or throws
 * on: it is answered -32800 then.
 */
export async function runTurn(options: TurnRunOptions): Promise<unknown> {
  const { request, session, role, handler } = options;
  const abort = new LazyAbort();
  const answered = new Answered();
  session.turn = { abort: (reason) => abort.abort(reason), answered: () => answered.promise };
  request.addEventListener("abort", () => abort.abort(request.reason));
  const isCancelled = (): boolean => abort.aborted && abort.reason !== request.reason;
  const turn = new RunningAgentTurn({
    abort,
    session,
    nextId: (kind) => session.nextId(kind),
    requestPermission: async (question) => {
      if (abort.aborted) return cancelledOutcome.outcome;
      const giveUp = new LazyAbort();
      const asking = options.requestPermission(question, { signal: giveUp });
      // After `session/cancel` the client answers (PERM-07). Of a prompt that it takes back it may not know what that asked.
      if (await isOverdue(asking, abort, () => (request.aborted ? 0 : 1000))) giveUp.abort(abort.reason);
      return asking.catch((error: unknown) => {
        // Some answer -32800 (RCAN-08).
        if (abort.aborted) return cancelledOutcome.outcome;
        throw error;
      });
    },
  });
  if (role.turn !== undefined) Object.assign(turn, role.turn(turn));
  try {
    const response = await handler(request.params, new PromptContext(session, turn, abort));
    return isCancelled() ? { ...(response as object), stopReason: "cancelled" } : response;
  } catch (error) {
    if (!isCancelled()) throw error;
    if (!isAbort(error, abort)) options.reportFailure(error);
    return { stopReason: "cancelled" };
  } finally {
    turn.ended = true;
    session.turn = undefined;
    answered.mark();
  }
}

/** What a prompt handler gets beside its params. */
class PromptContext extends AgentRunContext {
  readonly turn: RunningAgentTurn;

  constructor(session: OpenSession, turn: RunningAgentTurn, abort: LazyAbort) {
    super(session.client, session, abort);
    this.turn = turn;
  }
}

/** Tells those who ask that a turn has been answered. Hardly any turn is asked. */
class Answered {
  #isMarked = false;
  #resolve: (() => void) | undefined;
  #promise: Promise<void> | undefined;

  get promise(): Promise<void> {
    this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
      if (this.#isMarked) this.#settle();
    });
    return this.#promise;
  }

  mark(): void {
    this.#isMarked = true;
    this.#settle();
  }

  /** The answer is written in the microtasks that follow; whoever waits for it comes after. */
  #settle(): void {
    if (this.#resolve !== undefined) setTimeout(this.#resolve, 0);
  }
}
