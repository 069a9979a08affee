import type { Connection } from "../connection/connection.ts";
import { sessionIdOf } from "../connection/session-id.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { refuseNow } from "../connection/refusal.ts";
import { UsageError } from "../errors.ts";
import type { AgentRole } from "../protocol/role.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import type { UntypedSetup } from "./agent-session.ts";
import { runTurn, type TurnHost } from "./agent-turn-run.ts";
import { invalidArguments } from "./arguments.ts";
import type { UntypedHandler } from "./handler-table.ts";
import { OpenSession, type SessionLink } from "./open-session.ts";
import { checkVariants, unadvertisedVariants } from "./variants.ts";
import { backgroundTimer } from "../timers.ts";

/** How long `session/close` waits for the running turn to end, in milliseconds. */
const closeGrace = 5000;

/** What an agent's sessions need from their connection. */
export interface AgentSessionsOptions {
  readonly table: AgentRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly capabilities: object;
  readonly connection: Connection;
  readonly link: SessionLink;
  /** A result without what the client cannot take. */
  offer(method: string, result: unknown, session: OpenSession): unknown;
  /** Makes the id of a new session. */
  sessionId(): string;
  /** Makes a session's state. */
  session(setup: UntypedSetup): unknown;
  readonly requestPermission: TurnHost["requestPermission"];
}

/** An agent's open sessions on one connection: how they open, run turns, and end. */
export class AgentSessions {
  readonly #options: AgentSessionsOptions;
  readonly #open = new Map<string, OpenSession>();
  /** The kinds of content that cannot stand in a prompt. */
  readonly #unadvertised: ReadonlyMap<unknown, string>;
  readonly #turns: TurnHost;

  constructor(options: AgentSessionsOptions) {
    this.#options = options;
    this.#unadvertised = unadvertisedVariants(options.table, "ContentBlock", options.capabilities);
    this.#turns = {
      role: options.table,
      handler: options.handlers.get("session/prompt") as UntypedHandler,
      requestPermission: options.requestPermission,
      reportFailure: (error) => options.connection.reportFailure("session/prompt", error),
      callsOf: (turn) => options.connection.calls.values().filter(({ owner }) => owner === turn),
      abandon: (calls, reason) => options.connection.abandon(calls, reason),
    };
  }

  /** The open session that params name. */
  of(params: unknown): OpenSession | undefined {
    const id = sessionIdOf(params);
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** Answers a request that opens a session, under the id in its params or in its result. */
  async open(request: IncomingRequest, named: "params" | "result"): Promise<unknown> {
    const { method, params } = request;
    const { handlers, link } = this.#options;
    const id = named === "params" ? (sessionIdOf(params) ?? "") : this.#options.sessionId();
    const reopened = new UsageError(`The session was opened again by ${method}`);
    const earlier = this.#open.get(id);
    earlier?.reopen(reopened);
    const session = new OpenSession(id, params, link);
    session.isReplaying = method === "session/load";
    // A loaded session is there while its history is replayed.
    if (named === "params") this.#open.set(id, session);
    else session.conceal();
    try {
      session.state = await this.#options.session(session.setup(method, params));
      const handler = handlers.get(method);
      const context = new AgentRunContext(session.client, session, request);
      const made = handler === undefined ? { sessionId: id } : await handler(params, context);
      const result = this.#options.offer(method, made, session);
      if (named === "result") {
        this.#register(session, method, result);
        // Before the updates that wait for it (CMD-01).
        request.answer(result);
        session.reveal();
      }
      session.isReplaying = false;
      earlier?.end(reopened);
      return result;
    } catch (error) {
      if (this.#open.get(id) === session) this.#putBack(id, earlier);
      session.end(error);
      throw error;
    }
  }

  /** What could not be opened again goes on as it was, as its client believes. */
  #putBack(id: string, earlier: OpenSession | undefined): void {
    if (earlier === undefined) {
      this.#open.delete(id);
      return;
    }
    earlier.isReopening = false;
    this.#open.set(id, earlier);
  }

  /** Answers a prompt with a turn of its session. */
  prompt(request: IncomingRequest, session: OpenSession): unknown {
    if (session.turn !== undefined) {
      throw refuseNow("a turn is running in this session already");
    }
    const { prompt } = request.params as { readonly prompt: readonly { readonly type: string }[] };
    const problem = checkVariants(this.#unadvertised, ["prompt", prompt], "PROM-03");
    if (problem !== undefined) throw invalidArguments(problem);
    if (request.isObsolete) return { stopReason: "cancelled" };
    return runTurn(request, session, this.#turns);
  }

  /** `session/cancel`; without effect where no turn runs (CANC-10). */
  cancel(params: unknown): void {
    this.of(params)?.turn?.abort(new DOMException("The client cancelled the turn", "AbortError"));
    // A prompt that has arrived but not started is cancelled as well.
    const id = sessionIdOf(params);
    for (const request of this.#options.connection.unanswered()) {
      const isPrompt = request.method === "session/prompt" && sessionIdOf(request.params) === id;
      if (isPrompt) request.isObsolete = true;
    }
  }

  /** Answers a request that ends a session; `run` is its handler. */
  async end(session: OpenSession, run: () => unknown): Promise<unknown> {
    const reason = new DOMException("The session was closed", "AbortError");
    const { turn } = session;
    if (turn !== undefined) {
      turn.abort(reason);
      // The cancelled prompt is answered first (SESS-15), unless its handler does not listen.
      await new Promise<void>((resolve) => {
        const stop = backgroundTimer(resolve, closeGrace);
        void turn.answered().then(() => {
          stop();
          resolve();
        });
      });
    }
    const result = await run();
    // It may have been opened again meanwhile.
    if (this.#open.get(session.id) === session) this.#open.delete(session.id);
    session.end(reason);
    return result;
  }

  endAll(reason: Error): void {
    for (const session of this.#open.values()) session.end(reason);
    this.#open.clear();
  }

  /** Opens a session under the id that its handler chose. */
  #register(session: OpenSession, method: string, result: unknown): void {
    const id = sessionIdOf(result);
    if (id === undefined) throw new UsageError(`The handler of ${method} returned no sessionId`);
    if (this.#open.has(id)) throw new UsageError(`The handler of ${method} returned the id of an open session`);
    session.id = id;
    const { signal } = this.#options.connection;
    if (signal.aborted) return session.end(signal.reason);
    this.#open.set(id, session);
  }
}
