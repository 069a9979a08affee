import { AbortReason } from "../../base/abort.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { readSessionId } from "../../rpc/lanes.ts";
import { refuseNow } from "../../rpc/refusal.ts";
import { requestCancelled } from "../../rpc/wire-errors.ts";
import { invalidArguments } from "../rules/arguments.ts";
import { checkVariants, type UnadvertisedVariants } from "../rules/variants.ts";
import type { AgentDialect } from "./agent-dialect.ts";
import type { AgentSession } from "./agent-session.ts";
import type { SessionRegistry } from "./session-registry.ts";
import type { TurnHost } from "./turn-lifecycle.ts";

/**
 * What becomes of a prompt that comes while a turn runs in its session.
 *
 * - `refuse`: it is answered `-32600`.
 * - `queue`: it waits until those before it were answered.
 * - `replace`: it cancels the turn, as `session/cancel` would, and prompts that wait; it begins when the turn was answered.
 * - `alongside`: it begins at once, and the turns run side by side: for agents whose model hears a prompt while it is at
 *   work. The handler has to cope with running several times at once in a session. Each time it has a `turn`, a `signal`
 *   and a `client` of its own, and is answered when it returns, whatever the others do. What they send belongs to the same
 *   session: clients take it for a part of the oldest turn that has no answer, and may answer all questions `cancelled`
 *   while that is being cancelled.
 *
 * The turn that is replaced hears of it by its `signal`: a handler of `session/cancel` is called for that notification
 * alone.
 *
 * `session/cancel` cancels what runs and the prompts that wait, and so does what ends the session; `$/cancel_request`
 * takes back one of them. How many may run or wait is not limited, as with all requests.
 */
export type OverlappingPrompts = "refuse" | "queue" | "replace" | "alongside";

/** What the prompts of a connection need. */
export interface PromptQueueOptions<S extends AgentSession> {
  readonly dialect: AgentDialect<S>;
  readonly connection: Connection;
  readonly registry: SessionRegistry<S>;
  readonly host: TurnHost;
  /** The kinds of content that cannot stand in a prompt. */
  readonly refusedBlocks: UnadvertisedVariants;
}

/** The prompts of an agent's connection: those that run as turns, and those that wait. */
export class PromptQueue<S extends AgentSession> {
  readonly #options: PromptQueueOptions<S>;
  /** Prompts that wait for their session or for turns before them, and for nothing else. */
  readonly #waiting = new WeakSet<IncomingRequest>();

  constructor(options: PromptQueueOptions<S>) {
    this.#options = options;
  }

  /** Has a request wait for a session that is being opened. What ends the connection meanwhile cancels a prompt. */
  async waitForOpening(request: IncomingRequest, session: S): Promise<void> {
    const { dialect, connection } = this.#options;
    this.#waiting.add(request);
    await session.opening;
    if (connection.hasEnded && request.method === dialect.methods.prompt) dialect.dropPrompt(request);
  }

  /** Answers a prompt with a turn of its session. */
  start(request: IncomingRequest, session: S): unknown {
    // It was cancelled before it began.
    if (request.answered) return undefined;
    const { dialect, host, refusedBlocks } = this.#options;
    // It may have waited for its session, and is none of those that it replaces.
    this.#waiting.delete(request);
    const { prompt } = request.params as { readonly prompt: readonly { readonly type: string }[] };
    const problem = checkVariants(refusedBlocks, ["prompt", prompt], "PROM-03");
    if (problem !== undefined) throw invalidArguments(problem);
    const mode = host.overlappingPrompts;
    if (mode === "alongside" || (session.lastInQueue ?? session.turns[0]) === undefined) {
      return dialect.runTurn(request, session, host);
    }
    if (mode === "replace") this.cancelTurns(session.id, "Another prompt came", { byClient: false });
    else if (mode !== "queue") throw refuseNow("a turn is running in this session already");
    return this.#waitForTurns(request, session);
  }

  /** The client cancels what runs in a session; without effect where no turn runs (CANC-10). */
  cancel(params: unknown): void {
    this.cancelTurns(readSessionId(params), "The client cancelled the turn", { all: true });
  }

  /**
   * Cancels what runs in a session, and the prompts that wait for it: those in the queue, or `all` that have arrived. For a
   * request that has its place in the order of the session, the others come later, whatever they wait for.
   */
  cancelTurns(
    id: string | undefined,
    why: string,
    { all, byClient }: { readonly all?: boolean; readonly byClient?: boolean } = {},
  ): AbortReason {
    const { dialect, connection, registry } = this.#options;
    const reason = new AbortReason(why);
    registry.get(id)?.abort(reason, byClient);
    const isWaiting = (request: IncomingRequest): boolean =>
      request.method === dialect.methods.prompt &&
      request.run === undefined &&
      (all || this.#waiting.has(request)) &&
      request.sessionId === id;
    for (const request of connection.pendingRequests(isWaiting, [id])) dialect.dropPrompt(request);
    return reason;
  }

  /** Runs the turn of a prompt when those before it were answered. */
  #waitForTurns(request: IncomingRequest, session: S): Promise<unknown> {
    const { dialect, host } = this.#options;
    this.#waiting.add(request);
    request.addEventListener("abort", () => {
      if (request.run === undefined) request.fail(requestCancelled());
    });
    const begin = (): unknown => {
      const [running] = session.turns;
      // A turn that no prompt asked for may have begun meanwhile.
      if (running !== undefined) return running.whenEnded().then(begin);
      if (session.lastInQueue === done) session.lastInQueue = undefined;
      if (request.answered || session.isSilent) return dialect.dropPrompt(request);
      return dialect.runTurn(request, session, host);
    };
    const outcome = Promise.resolve(session.lastInQueue).then(begin);
    const ignore = (): void => {};
    const done = outcome.then(ignore, ignore);
    session.lastInQueue = done;
    return outcome;
  }
}
