import type { Connection } from "../../rpc/connection.ts";
import { readSessionId } from "../../rpc/lanes.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { AbortReason } from "../../base/abort.ts";
import { refuseNow } from "../../rpc/refusal.ts";
import { isAbortError } from "../../base/describe-error.ts";
import { requestCancelled } from "../../rpc/wire-errors.ts";
import { RequestError, UsageError } from "../../base/errors.ts";
import { createDeferred } from "../../base/promises.ts";
import type { AgentRole } from "../../rpc/role.ts";
import type { GivenOptions } from "../../v1/agent-connection.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import { invalidArguments } from "../rules/arguments.ts";
import type { UntypedHandler } from "./handler-table.ts";
import type { OpenSession, SessionLink } from "./open-session.ts";
import { checkVariants, unadvertisedVariants } from "../rules/variants.ts";
import { pendingAfterAbort } from "./pending-after-abort.ts";

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

/** How long `session/close` waits for what runs to end, in milliseconds. */
const closeGrace = 5000;

/** What an agent's sessions need from their connection. */
export interface AgentSessionsOptions<S extends OpenSession> {
  readonly table: AgentRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly capabilities: object;
  readonly connection: Connection;
  readonly link: SessionLink;
  /** How ids and states are made. */
  readonly given: Pick<GivenOptions, "sessionId" | "session">;
  /** What becomes of overlapping prompts. */
  readonly mode: OverlappingPrompts | undefined;
  // What each version of the protocol has its own way of:
  /** A session that `method` opens. */
  create(id: string, params: unknown, link: SessionLink, method: string): S;
  /** Runs the prompt handler as a turn of the session; what it returns or throws is the answer. */
  run(request: IncomingRequest, session: S): unknown;
  /** Answers a prompt that was cancelled before its turn began. */
  drop(request: IncomingRequest): void;
}

/** An agent's open sessions on one connection: how they open, run turns, and end. */
export interface AgentSessions<S extends OpenSession> {
  /** The open session that params name. */
  of(params: unknown): S | undefined;
  /** The same for what this side says: also one whose client does not know its id yet. */
  said(params: unknown): S | undefined;
  /** Answers a request that opens a session, under the id in its params or in its result. */
  open(request: IncomingRequest, named: "params" | "result"): Promise<unknown>;
  /** Has a request wait for a session that is being opened. A prompt is cancelled by what ends that meanwhile. */
  opened(request: IncomingRequest, session: S): Promise<void>;
  /** Answers a prompt with a turn of its session. */
  prompt(request: IncomingRequest, session: S): unknown;
  /** `session/cancel`; without effect where no turn runs (CANC-10). */
  cancel(params: unknown): void;
  /** Answers a request that ends a session; `run` is its handler. */
  end(session: S, run: () => unknown): Promise<unknown>;
  endAll(reason: Error): void;
}

export function createAgentSessions<S extends OpenSession>(options: AgentSessionsOptions<S>): AgentSessions<S> {
  const { table, handlers, capabilities, given, connection, link, mode, create, run, drop } = options;
  const openSessions = new Map<string | undefined, S>();
  /** Those whose clients do not know their ids yet. */
  const unnamed = new Set<S>();
  /** Prompts that wait for their session or the turns before them, and for nothing else. */
  const inLine = new WeakSet<IncomingRequest>();
  /** The kinds of content that cannot stand in a prompt. */
  const refused = unadvertisedVariants(table, "ContentBlock", capabilities);

  function of(params: unknown): S | undefined {
    return openSessions.get(readSessionId(params));
  }

  function said(params: unknown): S | undefined {
    const id = readSessionId(params);
    return openSessions.get(id) ?? [...unnamed].find((session) => session.id === id);
  }

  async function open(request: IncomingRequest, named: "params" | "result"): Promise<unknown> {
    const { method, params } = request;
    const isKnown = named === "params";
    const id = isKnown ? (readSessionId(params) ?? "") : (given.sessionId?.() ?? crypto.randomUUID());
    const earlier = isKnown ? openSessions.get(id) : undefined;
    const why = `The session was opened again by ${method}`;
    const reopened = earlier && new UsageError(why);
    earlier?.reopen(reopened);
    if (isKnown) cancelTurns(id, why);
    const session = create(id, params, link, method);
    const opening = createDeferred();
    session.opening = opening.promise;
    session.replaced = earlier;
    // A loaded session is there while its history is replayed.
    if (isKnown) openSessions.set(id, session);
    else {
      session.waiting = [];
      unnamed.add(session);
    }
    // The client has taken it back, or has gone. What sets the session up may wait for nothing else.
    request.addEventListener("abort", () => giveUp(session, request.reason));
    try {
      session.state = await given.session?.(session.setup(method, params));
      const handler = handlers.get(method);
      const context = new AgentRunContext(session.client, session, request);
      const made = handler === undefined ? { sessionId: id } : await handler(params, context);
      const result = link.offered(method, made, session);
      // Its client must not believe that it is open.
      if (!connection.hasEnded) session.throwIfEnded();
      if (!isKnown) register(session, method, result);
      // Before the updates that wait for it (CMD-01), and before anything else can end it.
      request.answer(result);
      session.reveal();
      session.isReplaying = false;
      session.replaced = undefined;
      earlier?.end(reopened);
      // It had begun to open when the connection had ended already.
      if (connection.hasEnded) giveUp(session, request.reason);
      return result;
    } catch (error) {
      const isEnd = session.isSilent && isAbortError(error, { reason: session.reopening ?? session.signal.reason });
      giveUp(session, error);
      throw isEnd ? new RequestError(requestCancelled()) : error;
    } finally {
      unnamed.delete(session);
      session.opening = undefined;
      opening.resolve();
    }
  }

  /** What could not be opened again goes on as it was, as its client believes. */
  function giveUp(session: S, reason: unknown): void {
    const { id, replaced } = session;
    if (openSessions.get(id) === session) {
      session.replaced = undefined;
      openSessions.delete(id);
      if (replaced?.signal.aborted === false) {
        replaced.reopening = undefined;
        openSessions.set(id, replaced);
      }
    }
    session.end(reason);
  }

  async function opened(request: IncomingRequest, session: S): Promise<void> {
    inLine.add(request);
    await session.opening;
    if (connection.hasEnded && request.method === "session/prompt") drop(request);
  }

  function prompt(request: IncomingRequest, session: S): unknown {
    // It was cancelled before it began.
    if (request.answered) return undefined;
    // It may have waited for its session, and is none of those that it replaces.
    inLine.delete(request);
    const { prompt: blocks } = request.params as { readonly prompt: readonly { readonly type: string }[] };
    const problem = checkVariants(refused, ["prompt", blocks], "PROM-03");
    if (problem !== undefined) throw invalidArguments(problem);
    if (mode === "alongside" || (session.line ?? session.turns[0]) === undefined) {
      return run(request, session);
    }
    if (mode === "replace") cancelTurns(session.id, "Another prompt came", { byClient: false });
    else if (mode !== "queue") throw refuseNow("a turn is running in this session already");
    return waitForTurn(request, session);
  }

  /** Runs the turn of a prompt when those before it were answered. */
  function waitForTurn(request: IncomingRequest, session: S): Promise<unknown> {
    inLine.add(request);
    request.addEventListener("abort", () => {
      if (request.run === undefined) request.fail(requestCancelled());
    });
    const begin = (): unknown => {
      const [running] = session.turns;
      // One that no prompt asked for may have begun meanwhile.
      if (running !== undefined) return running.answered().then(begin);
      if (session.line === line) session.line = undefined;
      return request.answered || session.isSilent ? drop(request) : run(request, session);
    };
    const outcome = Promise.resolve(session.line).then(begin);
    const done = (): void => {};
    const line = outcome.then(done, done);
    session.line = line;
    return outcome;
  }

  /**
   * Cancels what runs in a session, and the prompts that wait for it: those in line, or `all` that have arrived. For a
   * request that stands in the order of its session the others come later, whatever they wait for.
   */
  function cancelTurns(
    id: string | undefined,
    why: string,
    { all, byClient }: { readonly all?: boolean; readonly byClient?: boolean } = {},
  ): AbortReason {
    const reason = new AbortReason(why);
    openSessions.get(id)?.abort(reason, byClient);
    const waits = (request: IncomingRequest): boolean =>
      request.method === "session/prompt" &&
      request.run === undefined &&
      (all || inLine.has(request)) &&
      request.sessionId === id;
    for (const request of connection.pendingRequests(waits, [id])) drop(request);
    return reason;
  }

  function cancel(params: unknown): void {
    cancelTurns(readSessionId(params), "The client cancelled the turn", { all: true });
  }

  async function end(session: S, close: () => unknown): Promise<unknown> {
    const { turns: running, replaced } = session;
    const reason = cancelTurns(session.id, "The session was closed");
    // The cancelled prompts are answered first (SESS-15), unless their handlers do not listen.
    if (running.length > 0) {
      await Promise.all(running.map((turn) => pendingAfterAbort(turn.answered(), turn, () => closeGrace)));
    }
    const result = await close();
    // Not what it was opened again as meanwhile, but what goes on since it could not be opened again.
    for (const ended of [session, replaced]) {
      if (openSessions.get(session.id) === ended) openSessions.delete(session.id);
      ended?.end(reason);
    }
    return result;
  }

  function endAll(reason: Error): void {
    for (const session of openSessions.values()) session.end(reason);
    openSessions.clear();
  }

  /** Opens a session under the id that its handler chose. */
  function register(session: S, method: string, result: unknown): void {
    const id = readSessionId(result);
    const isOpen = openSessions.has(id);
    if (id === undefined || isOpen) {
      throw new UsageError(
        `The handler of ${method} returned ${isOpen ? "the id of an open session" : "no sessionId"}`,
      );
    }
    session.id = id;
    if (!connection.hasEnded) openSessions.set(id, session);
  }

  return { of, said, open, opened, prompt, cancel, end, endAll };
}
