import type { IncomingRequest } from "../connection/incoming-request.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import { LazyAbort } from "../connection/lazy-abort.ts";
import { isAbort } from "../connection/thrown.ts";
import type { AgentRole } from "../protocol/role.ts";
import { RunningAgentTurn, type PermissionOutcome, type PermissionQuestion } from "./agent-turn.ts";
import type { UntypedHandler } from "./handler-table.ts";
import type { OpenSession } from "./open-session.ts";

export interface TurnRunOptions {
  readonly request: IncomingRequest;
  readonly session: OpenSession;
  readonly role: AgentRole;
  readonly handler: UntypedHandler;
  requestPermission(question: PermissionQuestion): Promise<PermissionOutcome>;
  reportFailure(error: unknown): void;
}

/**
 * Runs the prompt handler as the session's turn.
 *
 * Once the turn is cancelled, whatever the handler throws is the answer `cancelled`, never an error
 * (CANC-05, CANC-06). A prompt cancelled by `$/cancel_request` throws on: it is answered -32800.
 */
export async function runTurn({ request, session, role, handler, ...options }: TurnRunOptions): Promise<unknown> {
  const abort = new LazyAbort();
  const answered = new Answered();
  session.turn = { abort: (reason) => abort.abort(reason), answered: () => answered.promise };
  request.addEventListener("abort", () => abort.abort(request.reason));
  const turn = new RunningAgentTurn({
    abort,
    session,
    nextId: (kind) => session.nextId(kind),
    requestPermission: options.requestPermission,
  });
  Object.assign(turn, role.turn?.(turn));
  try {
    return await handler(request.params, new PromptContext(session, turn, abort));
  } catch (error) {
    if (!abort.aborted || request.aborted) throw error;
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
