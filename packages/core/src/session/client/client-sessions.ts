import { AbortReason } from "../../base/abort.ts";
import { describeError } from "../../base/describe-error.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { CapabilityError, UsageError } from "../../base/errors.ts";
import { enqueueAfterNotifications } from "../../rpc/answer-order.ts";
import type { Connection } from "../../rpc/connection.ts";
import { abandonLane, claimLane } from "../../rpc/held-lanes.ts";
import { reportRule } from "../../rpc/invalid-message.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import type { ClientRole, SessionHost, SubagentSessions } from "../../rpc/role.ts";
import type { CancelledQuestions } from "./cancelled-questions.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import type { ClientSession, ClientSessionLink } from "./client-session.ts";
import { PlaceholderSessions } from "./placeholder-sessions.ts";
import { reportStall, type StallLimits } from "./stall-watch.ts";
import { UnopenedSessionBuffer } from "./unopened-session-buffer.ts";

/** What a client's sessions need from their connection. */
export interface ClientSessionsOptions<S extends ClientSession> {
  readonly dialect: Pick<ClientDialect<S, AgentFacts, unknown>, "methods" | "createSession" | "replaysHistory">;
  readonly table: ClientRole;
  readonly methods: MethodIndex;
  readonly capabilities: object;
  readonly calls: PeerCalls;
  readonly connection: Connection;
  readonly cancelledQuestions: CancelledQuestions;
  readonly report: DiagnosticListener;
  readonly hasUpdateHandler: boolean;
  readonly stall: StallLimits;
}

/** A call that opens a session. */
export interface OpeningCall<S> {
  readonly method: string;
  readonly params: unknown;
  /** Where the id of the session is. */
  readonly named: "params" | "result";
  /** @throws what keeps it from being sent. */
  check(): void;
  /** `onResult` runs the moment the answer arrives. */
  send(onResult: (result: unknown) => void): Promise<unknown>;
  /** Runs `attempt`, and repeats it after a login if the agent wants one, unless the session has ended meanwhile. */
  withLogin(attempt: () => Promise<unknown>, session: S | undefined): Promise<unknown>;
}

/** Removes internal frames from the stack trace, which has ten: the caller's should be among them. */
function fromCaller(error: unknown, called: (...args: never[]) => unknown): unknown {
  // Missing in older versions of Firefox and Safari.
  const { captureStackTrace } = Error as { captureStackTrace?: (error: Error, above: typeof called) => void };
  // Not of the error that ended the connection: others have it as well.
  if (error instanceof UsageError || error instanceof CapabilityError) captureStackTrace?.(error, called);
  return error;
}

export function endedWhileOpening(method: string): UsageError {
  return new UsageError(`${method}: the session has ended while it was being opened`);
}

/** A client's sessions on one connection: how they open, take over what arrived before, and end. */
export class ClientSessions<S extends ClientSession> {
  /** The sessions that the agent opens by itself, where the protocol has such. */
  readonly subagents: SubagentSessions | undefined;
  readonly #options: ClientSessionsOptions<S>;
  readonly #link: ClientSessionLink;
  readonly #open = new Map<string, S>();
  readonly #placeholders = new PlaceholderSessions<S>();
  readonly #buffer: UnopenedSessionBuffer;
  /** How many requests that open a session have no answer yet. */
  #opening = 0;
  /** How many notifications have arrived for sessions that nobody has opened. */
  #unopenedCount = 0;
  /** The history of the session that is ending will be sent again. */
  #isRepeated = false;

  constructor(options: ClientSessionsOptions<S>) {
    this.#options = options;
    const { lanes } = options.connection;
    this.#buffer = new UnopenedSessionBuffer(lanes, options.report, () => this.#opening > 0);
    this.#link = this.#createLink();
    const host: SessionHost = {
      get: (id) => this.#open.get(id),
      expect: (id) => claimLane(lanes, id),
      giveUp: (id) => {
        abandonLane(lanes, id);
        this.#placeholders.end(this.#mayOpen);
      },
      open: (id, params, parentId) => {
        const session = this.#take(id, params);
        session.parent = this.#open.get(parentId);
        return this.#attach(session, {});
      },
      close: (id, reason) => this.#close(this.#open.get(id), reason),
    };
    this.subagents = options.table.subagentSessions?.(host, options.capabilities);
  }

  get(sessionId: string): S | undefined {
    return this.#open.get(sessionId);
  }

  /** The open session that params or a result name. */
  forParams(value: unknown): S | undefined {
    const id = readSessionId(value);
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** The session of a notification whose turn it is to be handled. */
  forNotification(params: unknown): S | undefined {
    let session = this.forParams(params);
    while (session?.ahead !== undefined) session = session.ahead ?? undefined;
    return session;
  }

  /**
   * The session of a request from the agent: an open one, or a placeholder for one that is being opened.
   *
   * @throws {Refusal} if there are too many placeholders.
   */
  forRequest(params: unknown): S | undefined {
    const id = readSessionId(params);
    if (id === undefined) return undefined;
    const known = this.#open.get(id) ?? this.#placeholders.get(id);
    if (known !== undefined || !this.#mayOpen(id)) return known;
    return this.#placeholders.add(id, () => this.#create(id, {}));
  }

  /** A notification of this session waits for its turn. */
  onQueued(sessionId: string): void {
    if (this.#open.has(sessionId)) return;
    this.#unopenedCount++;
    this.#buffer.onQueued(sessionId);
  }

  /** Calls a method that opens a session; repeats it after a login, for the same session. */
  async open(call: OpeningCall<S>): Promise<unknown> {
    const { params } = call;
    const known = call.named === "params" ? readSessionId(params) : undefined;
    let loading = known === undefined ? undefined : this.#create(known, params);
    try {
      return await call.withLogin(() => {
        // What the agent had replayed before it refused comes again.
        if (known !== undefined && loading !== undefined && loading.received > 0) {
          this.#isRepeated = loading.replaysHistory;
          loading.end(loading.refusal, loading.refusal);
          this.#isRepeated = false;
          loading = this.#create(known, params);
        }
        return this.#tryOpen(call, loading);
      }, loading);
    } catch (error) {
      // Giving up a login does not end an open session with the same id.
      loading?.end(loading.refusal ?? error, error);
      throw error;
    }
  }

  async #tryOpen(call: OpeningCall<S>, loading: S | undefined): Promise<unknown> {
    const { method, params } = call;
    try {
      call.check();
    } catch (error) {
      throw fromCaller(error, this.open);
    }
    const before = loading && this.#open.get(loading.id);
    // The updates of two sessions with one id could not be distinguished.
    if (before?.isAttached === false) {
      throw new UsageError(`${method}: the session '${before.id}' is being opened already; wait for that call`);
    }
    if (loading !== undefined) {
      loading.refusal = undefined;
      loading.replaysHistory = this.#options.dialect.replaysHistory(method, params);
      loading.replaced = before;
      // Open while its history is replayed.
      this.#open.set(loading.id, loading);
      this.#takeOverLane(loading, before);
    }
    this.#opening++;
    try {
      return await call.send((result) => {
        const id = loading?.id ?? readSessionId(result);
        if (id === undefined) return;
        if (loading?.signal.aborted) throw endedWhileOpening(method);
        const earlier = loading === undefined ? this.#open.get(id) : before;
        this.#attach(loading ?? this.#take(id, params), result as object);
        earlier?.end(new AbortReason(`The session was opened again by ${method}`));
        if (loading !== undefined) loading.replaced = undefined;
        if (loading === undefined && earlier !== undefined) this.#reportRepeatedId(method, id);
      });
    } catch (error) {
      if (loading !== undefined) this.#putBack(loading, before, error);
      throw error;
    } finally {
      this.#opening--;
      this.#placeholders.end(this.#mayOpen);
    }
  }

  /** Whether the agent waits for an answer or a handler of this client, or a subagent of the session works. */
  #isAwaited(session: object, id: string): boolean {
    const { connection, cancelledQuestions } = this.#options;
    if (connection.lanes.at(id) !== undefined || cancelledQuestions.hasOpenRequest(id)) return true;
    for (const other of this.#open.values()) {
      if (other.parent === session && (other.hasWork || this.#isAwaited(other, other.id))) return true;
    }
    return false;
  }

  /** Decides who gets the notifications that wait while a session starts to open. */
  #takeOverLane(loading: S, before: S | undefined): void {
    const { lanes } = this.#options.connection;
    const lane = lanes.at(loading.id);
    // What arrived while no session was open is delivered now: else the history would wait behind it for the answer.
    if (lane?.held === "unclaimed") this.#buffer.claim(loading.id, () => {});
    else if (lane !== undefined) {
      loading.ahead = before ?? null;
      enqueueAfterNotifications(lanes, loading.id, 0, () => {
        loading.ahead = undefined;
      });
    }
  }

  /** The session was not opened, also while somebody logs in for it. It may have been closed meanwhile. */
  #putBack(loading: S, before: S | undefined, error: unknown): void {
    loading.refusal = error;
    if (this.#open.get(loading.id) !== loading) return;
    loading.replaced = undefined;
    if (before === undefined || before.signal.aborted) this.#open.delete(loading.id);
    else this.#open.set(loading.id, before);
  }

  /** Calls a method that ends a session. The agent cancels what runs in it (SESS-15). */
  async end(session: S, method: string, call: () => Promise<unknown>): Promise<unknown> {
    // The session that it replaces goes on if it cannot be opened, and is the one that the agent has ended then.
    const ending = session.replaced === undefined ? [session] : [session, session.replaced];
    for (const one of ending) one.isEnding = true;
    try {
      const answer = call();
      for (const one of ending) one.cancelTurns();
      const result = await answer;
      const reason = new AbortReason(`The session was ended by ${method}`);
      for (const one of ending) this.#close(one, reason);
      return result;
    } finally {
      for (const one of ending) one.isEnding = false;
    }
  }

  #reportRepeatedId(method: string, sessionId: string): void {
    const reason = "is the id of a session that is open";
    const message = `The answer of ${method} breaks a rule (/sessionId: ${reason}); the earlier session was ended`;
    const place = { path: ["sessionId"], reason, sessionId };
    reportRule(this.#options.report, method, message, "SESS-02", place);
  }

  /** Opens a session, and delivers what has arrived for it once its opener has gone on. */
  #attach(session: S, answer: object): S {
    session.attach(answer);
    this.#open.set(session.id, session);
    this.#buffer.claim(session.id, () => session.settleIn());
    return session;
  }

  #close(session: S | undefined, reason: unknown): void {
    session?.end(reason);
    // It may have been opened again meanwhile.
    if (session !== undefined && this.#open.get(session.id) === session) this.#open.delete(session.id);
  }

  /** Ends all; who iterates their updates gets `error`, if there is one. */
  endAll(reason: Error, error: Error | undefined): void {
    this.#buffer.end();
    this.#placeholders.end(() => false, reason);
    // Sessions of subagents before their parents: they end for the same reason.
    for (const session of [...this.#open.values()].toReversed()) session.end(reason, error);
    this.#open.clear();
  }

  /** Whether a session that is not open may be open soon. */
  readonly #mayOpen = (sessionId: string): boolean => this.#opening > 0 || this.subagents?.expects(sessionId) === true;

  /** A session that opens: the placeholder, if there is one. */
  #take(sessionId: string, params: unknown): S {
    const session = this.#placeholders.take(sessionId);
    session?.setUp(params);
    return session ?? this.#create(sessionId, params);
  }

  #create(sessionId: string, params: unknown): S {
    return this.#options.dialect.createSession(sessionId, params, this.#link);
  }

  #createLink(): ClientSessionLink {
    const { dialect, methods, calls, connection, cancelledQuestions, report, hasUpdateHandler, stall } = this.#options;
    return {
      stall,
      countUnopened: () => this.#unopenedCount,
      isAwaited: (session) => this.#isAwaited(session, session.id),
      onStall: (sessionId, step) => reportStall(report, dialect.methods, sessionId, step),
      names: dialect.methods,
      methods,
      calls,
      lanes: connection.lanes,
      hasUpdateHandler,
      cancelQuestions: (id, isConcerned) => cancelledQuestions.cancelIn(id, isConcerned),
      onUnobserved: (sessionId) => {
        const message =
          `Updates of a session reach nobody: there is no handler for ${dialect.methods.update}. Iterate the updates, or make ` +
          "a state, right after the session was opened, before you await anything else";
        report({ type: "unobserved-updates", level: "info", message, sessionId });
      },
      onUnopened: (sessionId, updates) => {
        if (hasUpdateHandler || this.#isRepeated || updates.length === 0) return;
        const message = `${updates.length} updates of a session reached nobody: the session could not be opened`;
        const received = updates.map((update) => ({ sessionId, update }));
        report({ type: "unclaimed-session", level: "warning", message, sessionId, received });
      },
      onObserverFailed: (sessionId, error) => {
        const message = `An observer of a session failed, or a listener of its state: ${describeError(error)}`;
        report({ type: "observer-failed", level: "error", message, error, sessionId });
      },
      onUnknownTerminals: (sessionId, count) => {
        const message =
          `${dialect.methods.update} has shown ${count === 1 ? "a terminal" : `${count} terminals`} that nobody has made: the agent ` +
          "has neither asked for it nor reported any output, so there is nothing to show";
        report({ type: "rule", level: "warning", message, method: dialect.methods.update, rule: "TOOL-11", sessionId });
      },
      onBacklog: (sessionId, size) => {
        const message = `${size} updates of a session wait to be iterated`;
        report({ type: "backlog", level: "warning", message, queue: "updates", size, sessionId });
      },
    };
  }
}
