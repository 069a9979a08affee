import type { Received } from "@acp/schema/v1/types";
import type { Connection } from "../rpc/connection.ts";
import type { IncomingRequest, Run } from "../rpc/incoming-requests.ts";
import { LazyAbort } from "../base/abort.ts";
import { createDeferred, type Deferred, ignoreRejection } from "../base/promises.ts";
import { isAbortError, isRequestCancelled } from "../base/describe-error.ts";
import { UsageError } from "../base/errors.ts";
import type { PeerCalls } from "../rpc/peer.ts";
import type { AgentRole } from "../rpc/role.ts";
import { backgroundTimer } from "../base/timers.ts";
import { AgentRunContext } from "../session/agent/agent-run-context.ts";
import type { OverlappingPrompts } from "../session/agent/agent-sessions.ts";
import { type PermissionOutcome, type PermissionQuestion, RunningAgentTurn, type TurnLink } from "./agent-turn.ts";
import type { UntypedHandler } from "../session/agent/handler-table.ts";
import type { OpenSession } from "../session/agent/open-session.ts";
import { callGrace, pendingAfterAbort } from "../session/agent/pending-after-abort.ts";
import { cancelledOutcome } from "../session/rules/permission.ts";
import { turnClientOf } from "../session/agent/turn-client.ts";

/** What turns need from their connection. */
export interface TurnHost {
  readonly role: AgentRole;
  readonly handler: UntypedHandler;
  /** What becomes of overlapping prompts. */
  readonly mode: OverlappingPrompts | undefined;
  readonly connection: Pick<Connection, "calls" | "abandon" | "reportFailure">;
}

/**
 * What the client answers by itself when a turn is cancelled (PERM-07), so that it is not given up: the user may have
 * answered already.
 */
const answeredByClient: readonly string[] = ["session/request_permission", "elicitation/create"];

/** The answer of a turn that was cancelled. */
export const cancelledTurn: object = { stopReason: "cancelled" };

/** Runs the prompt handler as a turn of the session. */
export function runTurn(request: IncomingRequest, session: OpenSession, host: TurnHost): unknown {
  const run = new TurnRun(request, session, host);
  request.run = run;
  session.turns.push(run);
  const client = host.mode === "alongside" ? turnClientOf(session.client, [run]) : session.turnClient;
  return host.handler(request.params, new PromptContext(client, session, run));
}

/**
 * A turn that runs. It aborts when it is cancelled, by whatever means.
 *
 * Once it is cancelled, the answer is `cancelled`, whatever the handler throws or returns (CANC-05, CANC-06). A prompt
 * that was taken back by `$/cancel_request` instead has the handler's answer, or -32800 where that throws.
 *
 * No `async` function around the handler: that took a twentieth more of an agent's time for a prompt.
 */
class TurnRun extends LazyAbort implements TurnLink, Run {
  declare readonly session: OpenSession;
  declare readonly turn: RunningAgentTurn;
  readonly #request: IncomingRequest;
  readonly #host: TurnHost;
  #isLateTold = false;
  /** Of those who wait for the answer; hardly any turn has any. */
  #answered: Deferred | undefined;

  constructor(request: IncomingRequest, session: OpenSession, host: TurnHost) {
    super();
    this.session = session;
    this.#request = request;
    this.#host = host;
    this.turn = new RunningAgentTurn(this);
    if (host.role.turn !== undefined) Object.assign(this.turn, host.role.turn(this.turn));
  }

  get id(): string {
    return this.#request.id;
  }

  /** What was asked of the client has a second to be answered: a terminal that it has begun to open has to be released. */
  override abort(reason: unknown, byClient = true): void {
    if (this.aborted) return;
    const { connection } = this.#host;
    const calls = connection.calls.values(
      ({ owner, method }) => owner === this && (!byClient || !answeredByClient.includes(method)),
      [this],
    );
    super.abort(reason);
    if (calls.length > 0) backgroundTimer(() => connection.abandon(calls, this.reason), callGrace);
  }

  succeed(response: unknown): unknown {
    this.#markEnded();
    return this.#isCancelled ? { ...(response as object), ...cancelledTurn } : response;
  }

  fail(error: unknown): object | undefined {
    this.#markEnded();
    if (!this.#isCancelled) return undefined;
    if (!isRequestCancelled(error) && !isAbortError(error, this)) this.#tellFailure(error);
    return cancelledTurn;
  }

  /** By `session/cancel`, or with its session; and not because its prompt was taken back. */
  get #isCancelled(): boolean {
    return this.aborted && this.reason !== this.#request.reason;
  }

  rejectLate(): Promise<never> {
    const error = new UsageError("The turn has been answered; use session.update for updates between turns");
    if (!this.#isLateTold) this.#tellFailure(error);
    this.#isLateTold = true;
    return ignoreRejection(Promise.reject(error));
  }

  nextId(kind: "call" | "message"): string {
    return this.session.nextId(kind);
  }

  async requestPermission(question: PermissionQuestion): Promise<PermissionOutcome> {
    if (this.aborted) return cancelledOutcome.outcome;
    const giveUp = new LazyAbort();
    const ask: PeerCalls["request"] = this.session.client.request;
    const asking = ask("session/request_permission", question, { signal: giveUp });
    // After `session/cancel` the client answers (PERM-07). Of a prompt that it takes back it may not know what that asked.
    if (await pendingAfterAbort(asking, this, () => (this.#request.aborted ? 0 : callGrace))) giveUp.abort(this.reason);
    try {
      return ((await asking) as Received.RequestPermissionResponse).outcome;
    } catch (error) {
      // Some answer -32800 (RCAN-08).
      if (this.aborted) return cancelledOutcome.outcome;
      throw error;
    }
  }

  #tellFailure(error: unknown): void {
    this.#host.connection.reportFailure("session/prompt", error);
  }

  /** Settles when it has been answered. */
  answered(): Promise<void> {
    this.#answered ??= createDeferred();
    return this.#answered.promise;
  }

  #markEnded(): void {
    const { turns } = this.session;
    const index = turns.indexOf(this);
    // It has ended already: of what its handler returned no answer could be made.
    if (index < 0) return;
    this.turn.ended = true;
    // For the one that runs alone without the array that `splice` makes.
    if (turns.length === 1) turns.pop();
    else turns.splice(index, 1);
    // The answer is written right after this, and whoever waits for it comes in a later microtask.
    this.#answered?.resolve();
  }
}

/** What a prompt handler gets beside its params. */
class PromptContext extends AgentRunContext {
  declare readonly turn: RunningAgentTurn;

  constructor(client: object, session: OpenSession, run: TurnRun) {
    super(client, session, run);
    this.turn = run.turn;
  }
}
