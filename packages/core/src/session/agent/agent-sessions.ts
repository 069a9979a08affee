import { isAbortError } from "../../base/describe-error.ts";
import { RequestError, UsageError } from "../../base/errors.ts";
import { createDeferred } from "../../base/promises.ts";
import { randomId } from "../../base/random-id.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import { requestCancelled } from "../../rpc/wire-errors.ts";
import type { UntypedHandler } from "../handler-table.ts";
import type { AgentDialect, AgentHost } from "./agent-dialect.ts";
import type { AgentOptions } from "./agent-options.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import type { AgentSession } from "./agent-session.ts";
import { pendingAfterAbort } from "./pending-after-abort.ts";
import type { PromptQueue } from "./prompt-queue.ts";
import type { SessionRegistry } from "./session-registry.ts";

/** How long a request that closes a session waits for its turns to end, in milliseconds. */
const closeGrace = 5000;

/** The parts that an agent's sessions need from their connection. */
export interface AgentSessionsParts<S extends AgentSession> {
  readonly dialect: AgentDialect<S>;
  readonly options: AgentOptions;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly registry: SessionRegistry<S>;
}

/** Opens the sessions of an agent's connection, opens them again, and ends them. */
export interface AgentSessions<S extends AgentSession> {
  /** Answers a request that opens a session, under the id in its params or in its result. */
  open(request: IncomingRequest, idIn: "params" | "result"): Promise<unknown>;
  /** Answers a request that ends a session; `run` calls its handler. */
  end(session: S, run: () => unknown): Promise<unknown>;
}

export function createAgentSessions<S extends AgentSession>(
  { dialect, options, handlers, registry }: AgentSessionsParts<S>,
  host: AgentHost,
  prompts: PromptQueue<S>,
): AgentSessions<S> {
  const { connection, updates } = host;

  async function open(request: IncomingRequest, idIn: "params" | "result"): Promise<unknown> {
    const { method, params } = request;
    const isKnown = idIn === "params";
    const id = isKnown ? (readSessionId(params) ?? "") : (options.sessionId?.() ?? randomId());
    const earlier = isKnown ? registry.get(id) : undefined;
    const why = `The session was opened again by ${method}`;
    const reopened = earlier && new UsageError(why);
    earlier?.reopen(reopened);
    if (isKnown) prompts.cancelTurns(id, why);
    const session = dialect.createSession({ id, method, params, earlier }, host);
    const opening = createDeferred();
    session.opening = opening.promise;
    session.replaced = earlier;
    // The handler replays the history of a known session in it, so it is registered before it is open.
    if (isKnown) registry.add(session);
    else {
      session.unsent = [];
      registry.unnamed.add(session);
    }
    // The client cancelled the request, or has disconnected. Only this signal ends a setup that waits.
    request.addEventListener("abort", () => abandonOpening(session, request.reason));
    try {
      session.state = await options.session?.(session.setup(method, params));
      const handler = handlers.get(method);
      const context = new AgentRunContext(session.client, session, request);
      const opened = handler === undefined ? { sessionId: id } : await handler(params, context);
      const reported = session.handlerReturned(registry.forParams(params));
      if (reported !== undefined) await reported;
      const result = updates.withSupportedOptions(method, opened, session);
      // An ended session must not be answered as open.
      if (!connection.hasEnded) session.throwIfEnded();
      if (!isKnown) register(session, method, result);
      // Answered here: before the updates that wait for the answer (CMD-01), and before anything else can end the session.
      request.answer(result);
      session.sendUnsent();
      session.isReplaying = false;
      session.replaced = undefined;
      earlier?.end(reopened);
      // The connection has ended while it was being opened.
      if (connection.hasEnded) abandonOpening(session, request.reason);
      return result;
    } catch (error) {
      const isEnd = session.isSilent && isAbortError(error, { reason: session.reopening ?? session.signal.reason });
      abandonOpening(session, error);
      if (isKnown) registry.get(id)?.reopeningFailed();
      throw isEnd ? new RequestError(requestCancelled()) : error;
    } finally {
      registry.unnamed.delete(session);
      session.opening = undefined;
      opening.resolve();
    }
  }

  async function end(session: S, run: () => unknown): Promise<unknown> {
    session.closing();
    const { turns, replaced } = session;
    const reason = prompts.cancelTurns(session.id, "The session was closed");
    // The cancelled prompts are answered first (SESS-15), unless their handlers ignore the signal.
    if (turns.length > 0) {
      await Promise.all(turns.map((turn) => pendingAfterAbort(turn.whenEnded(), turn, () => closeGrace)));
    }
    const result = await run();
    // Also the session that it was to replace, which stays open if opening it fails. Not one that has replaced it meanwhile.
    for (const ended of [session, replaced]) {
      if (ended !== undefined) registry.remove(ended);
      ended?.end(reason);
    }
    return result;
  }

  /** Ends a session that could not be opened. The open one that it was to replace stays open. */
  function abandonOpening(session: S, reason: unknown): void {
    const { replaced } = session;
    if (registry.remove(session)) {
      session.replaced = undefined;
      if (replaced?.signal.aborted === false) {
        replaced.reopening = undefined;
        registry.add(replaced);
      }
    } else {
      // A later request opens it as well: if that fails too, the same session stays open.
      let later = registry.get(session.id);
      while (later !== undefined && later.replaced !== session) later = later.replaced;
      if (later !== undefined) {
        later.replaced = replaced;
        session.replaced = undefined;
      }
    }
    session.end(reason);
  }

  /** Registers a new session under the id that its handler chose. */
  function register(session: S, method: string, result: unknown): void {
    const id = readSessionId(result);
    const isOpen = registry.get(id) !== undefined;
    if (id === undefined || isOpen) {
      throw new UsageError(
        `The handler of ${method} returned ${isOpen ? "the id of an open session" : "no sessionId"}`,
      );
    }
    session.id = id;
    if (!connection.hasEnded) registry.add(session);
  }

  return { open, end };
}
