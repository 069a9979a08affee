import { enqueueAfterNotifications } from "../../rpc/answer-order.ts";
import type { Connection } from "../../rpc/connection.ts";
import { readSessionId } from "../../rpc/lanes.ts";
import { abandonLane, claimLane, holdLane, isHeld } from "../../rpc/held-lanes.ts";
import { reportRule } from "../../rpc/invalid-message.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import type { OutgoingRequest } from "../../rpc/outgoing-requests.ts";
import { describeError } from "../../base/describe-error.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { CapabilityError, UsageError } from "../../base/errors.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import type { ClientRole, SubagentSessions, SessionHost } from "../../rpc/role.ts";
import { type Abortable, AbortReason } from "../../base/abort.ts";
import { EarlySessions } from "./early-sessions.ts";
import { Unclaimed } from "./unclaimed.ts";
import { promptsOf, withdraw } from "./withdrawn.ts";

/** A client's session of any version, as far as whoever keeps it has to know it. `S` is the session itself. */
export interface KeptSession<S> {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly signal: AbortSignal;
  /** The request that opens it was answered. */
  readonly isAttached: boolean;
  /** Nobody is asked any more for what runs in it. */
  readonly isCancelling: boolean;
  /** How many updates have arrived that tell of a turn, and not of the session. */
  readonly received: number;
  parent: S | undefined;
  replaysHistory: boolean;
  /** What it is opened in place of, and ends with, until it has been opened. */
  replaced: S | undefined;
  /** Whom notifications are for that have waited for a handler since before it began to open: `null` where that is over. */
  ahead: S | null | undefined;
  /** Why the agent has not opened it so far, while somebody logs in for it. */
  refusal: unknown;
  /** A request that ends it is under way. */
  isEnding: boolean;
  /** Takes the params it is opened with. */
  setUp(params: unknown): void;
  /** Takes the answer that opened the session. */
  attach(answer: object): void;
  /** The opener has run: updates it did not ask for are kept no longer. */
  settleIn(): void;
  markCancelled(): void;
  /** Aborts when nobody can be asked any more for a call of this session. */
  withdrawalOf(method: string): Abortable;
  /** Ends it; who iterates its updates gets `error`, if there is one. */
  end(reason: unknown, error?: unknown): void;
}

/** What a session needs from its connection. */
export interface ClientSessionLink {
  readonly methods: MethodIndex;
  readonly calls: PeerCalls;
  /** Whether there is a handler for updates. */
  readonly hasUpdateHandler: boolean;
  onBacklog(sessionId: string, size: number): void;
  /** Answers what waits for the user, who is not asked any more (CANC-03); of some questions only those with such params. */
  withdrawQuestions(sessionId: string, isConcerned?: (params: unknown) => boolean): void;
  onUnobserved(sessionId: string): void;
  /** Updates have reached nobody, and never will: the session could not be opened. */
  onUnopened(sessionId: string, updates: readonly object[]): void;
  onObserverFailed(sessionId: string, error: unknown): void;
}

/** What a client's sessions need from their connection. */
export interface ClientSessionsOptions<S extends KeptSession<S>> {
  readonly table: ClientRole;
  readonly methods: MethodIndex;
  readonly capabilities: object;
  readonly calls: PeerCalls;
  readonly connection: Connection;
  readonly report: DiagnosticListener;
  readonly hasUpdateHandler: boolean;
  /** Makes a session; `params` may be empty while nobody knows which one it is. */
  create(id: string, params: unknown, link: ClientSessionLink): S;
}

/** A call that opens a session. */
export interface OpeningCall<S> {
  readonly method: string;
  readonly params: unknown;
  /** What names the session. */
  readonly named: "params" | "result";
  /** @throws what keeps it from being sent. */
  check(): void;
  /** `onResult` runs the moment the answer arrives. */
  send(onResult: (result: unknown) => void): Promise<unknown>;
  /** Runs `attempt`, and once more after a login if the agent wants one, unless the session has ended meanwhile. */
  withLogin(attempt: () => Promise<unknown>, session: S | undefined): Promise<unknown>;
}

/** Takes what has been called on the way off a stack, which has ten frames: the caller's should be among them. */
function fromCaller(error: unknown, called: (...args: never[]) => unknown): unknown {
  // Not in older versions of Firefox and Safari.
  const { captureStackTrace } = Error as { captureStackTrace?: (error: Error, above: typeof called) => void };
  // The end of the connection is an error of its own, which others have as well.
  if (error instanceof UsageError || error instanceof CapabilityError) captureStackTrace?.(error, called);
  return error;
}

export function endedWhileOpening(method: string): UsageError {
  return new UsageError(`${method}: the session has ended while it was being opened`);
}

/** A client's open sessions on one connection: how they open, claim what came early, and end. */
export class ClientSessions<S extends KeptSession<S>> {
  /** Those that the agent opens by itself, where the protocol has such. */
  readonly subagents: SubagentSessions | undefined;
  readonly #options: ClientSessionsOptions<S>;
  readonly #open = new Map<string, S>();
  /** Those that the agent has asked something for before they were open. */
  readonly #early = new EarlySessions<S>();
  readonly #unclaimed: Unclaimed;
  /** What requests from the agent are for, by their params: the call may be answered before they are. */
  readonly #calls = new WeakMap<object, OutgoingRequest>();
  /** How many requests that open a session have no answer yet. */
  #opening = 0;
  /** What a session has brought comes again, with the one in its place. */
  #isRepeated = false;

  constructor(options: ClientSessionsOptions<S>) {
    this.#options = options;
    this.#unclaimed = new Unclaimed(options.connection.lanes, options.report, () => this.#opening > 0);
    const host: SessionHost = {
      get: (id) => this.#open.get(id),
      expect: (id) => claimLane(options.connection.lanes, id),
      giveUp: (id) => {
        abandonLane(options.connection.lanes, id);
        this.#early.end(this.#mayOpen);
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
  of(value: unknown): S | undefined {
    const id = readSessionId(value);
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** The session of a notification whose turn to be handled has come. */
  told(params: unknown): S | undefined {
    let session = this.of(params);
    while (session?.ahead !== undefined) session = session.ahead ?? undefined;
    return session;
  }

  /**
   * The session of a request from the agent, which may ask on its behalf while it is being opened.
   *
   * @throws {Refusal} if there are too many of those.
   */
  askedFor(params: unknown): S | undefined {
    const id = readSessionId(params);
    if (id === undefined) return undefined;
    const known = this.#open.get(id) ?? this.#early.get(id);
    if (known !== undefined || !this.#mayOpen(id)) return known;
    return this.#early.add(id, () => this.#create(id, {}));
  }

  /** Whether nobody is asked any more what the agent asks with these params. */
  isWithdrawn(params: unknown, session: S | undefined): boolean {
    const call = this.callOf(params);
    const owner = session ?? this.of(call);
    if (call?.withdrawn || owner?.isCancelling) return true;
    const prompts = owner === undefined ? [] : promptsOf(this.#options.connection.calls, owner.id);
    return prompts.length > 0 && prompts.every(({ withdrawn }) => withdrawn);
  }

  /** Nobody is asked any more for a call that was given up, nor for the turn that it began in the session `turn`. */
  abandoned(call: OutgoingRequest, turn?: string): void {
    call.withdrawn = true;
    this.#withdraw((sessionId, other) => other === call || (turn !== undefined && sessionId === turn), turn);
  }

  /** Holds what arrives for a session that nobody has claimed yet; whether that is held. */
  holdUnclaimed(sessionId: string): boolean {
    const { lanes } = this.#options.connection;
    const isUnclaimed = !this.#open.has(sessionId) || isHeld(lanes, sessionId);
    if (isUnclaimed) holdLane(lanes, sessionId);
    return isUnclaimed;
  }

  onHeld(sessionId: string): void {
    if (!this.#open.has(sessionId)) this.#unclaimed.onHeld(sessionId);
  }

  /** Calls a method that opens a session; once more after a login, and for the same session. */
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
      // Who gives up a login ends nothing of an open session with the same id.
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
    // Its updates could not be told from those of the other one.
    if (before?.isAttached === false) {
      throw new UsageError(`${method}: the session '${before.id}' is being opened already; wait for that call`);
    }
    if (loading !== undefined) {
      loading.refusal = undefined;
      loading.replaysHistory ||= method === "session/load";
      loading.replaced = before;
      // It is there while its history is replayed.
      this.#open.set(loading.id, loading);
      const { lanes } = this.#options.connection;
      const lane = lanes.at(loading.id);
      // What came while it was not open is kept no longer: its history would wait behind that for the answer.
      if (lane?.held === "unclaimed") this.#unclaimed.claim(loading.id, () => {});
      else if (lane !== undefined) {
        loading.ahead = before ?? null;
        enqueueAfterNotifications(lanes, loading.id, 0, () => {
          loading.ahead = undefined;
        });
      }
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
        if (loading === undefined && earlier !== undefined) this.#tellRepeated(method, id);
      });
    } catch (error) {
      if (loading !== undefined) {
        loading.refusal = error;
        // Also while somebody logs in, for as long as that takes: it is not open. It may have been closed meanwhile.
        if (this.#open.get(loading.id) === loading) {
          loading.replaced = undefined;
          if (before === undefined || before.signal.aborted) this.#open.delete(loading.id);
          else this.#open.set(loading.id, before);
        }
      }
      throw error;
    } finally {
      this.#opening--;
      this.#early.end(this.#mayOpen);
    }
  }

  /** Calls a method that ends a session. The agent cancels what runs in it (SESS-15), so nobody is asked for it. */
  async end(session: S, method: string, call: () => Promise<unknown>): Promise<unknown> {
    // What it is being opened in place of goes on if that fails, and is what the agent has ended then.
    const ending = session.replaced === undefined ? [session] : [session, session.replaced];
    for (const one of ending) one.isEnding = true;
    try {
      const answer = call();
      for (const one of ending) one.markCancelled();
      const result = await answer;
      const reason = new AbortReason(`The session was ended by ${method}`);
      for (const one of ending) this.#close(one, reason);
      return result;
    } finally {
      for (const one of ending) one.isEnding = false;
    }
  }

  #tellRepeated(method: string, sessionId: string): void {
    const reason = "is the id of a session that is open";
    const message = `The answer of ${method} breaks a rule (/sessionId: ${reason}); the earlier session was ended`;
    const place = { path: ["sessionId"], reason, sessionId };
    reportRule(this.#options.report, method, message, "SESS-02", place);
  }

  /** Opens a session, and delivers what has come for it once its opener has gone on. */
  #attach(session: S, answer: object): S {
    session.attach(answer);
    this.#open.set(session.id, session);
    this.#unclaimed.claim(session.id, () => session.settleIn());
    return session;
  }

  #close(session: S | undefined, reason: unknown): void {
    session?.end(reason);
    // It may have been opened again meanwhile.
    if (session !== undefined && this.#open.get(session.id) === session) this.#open.delete(session.id);
  }

  /** Ends all; who iterates their updates gets `error`, if there is one. */
  endAll(reason: Error, error: Error | undefined): void {
    this.#unclaimed.end();
    this.#early.end(() => false, reason);
    // Those that end with another one first: they end for the same reason.
    for (const session of [...this.#open.values()].toReversed()) session.end(reason, error);
    this.#open.clear();
  }

  /** The call that a request from the agent is for, if it named one that had no answer yet (ELIC-05). */
  callOf(params: unknown): OutgoingRequest | undefined {
    const { requestId } = (params ?? {}) as { readonly requestId?: unknown };
    const call = this.#calls.get(params as object) ?? this.#options.connection.calls.get(requestId);
    if (call !== undefined) this.#calls.set(params as object, call);
    return call;
  }

  /** Answers the questions of the agent that fit: by the session and the call they are for, and only those of `of` or a call. */
  #withdraw(
    fits: (sessionId: string | undefined, call: OutgoingRequest | undefined, params: unknown) => boolean,
    of = "",
  ): void {
    const reason = new AbortReason("The turn was cancelled, or what else the question was for");
    const isAsked = ({ params, sessionId }: IncomingRequest): boolean => {
      const call = this.callOf(params);
      return fits(sessionId ?? call?.sessionId, call, params);
    };
    // What is for a call names no session (ELIC-05).
    for (const request of this.#options.connection.pendingRequests(isAsked, [of, ""])) withdraw(request, reason);
  }

  /** Whether a session may be open soon that is not open now. */
  readonly #mayOpen = (sessionId: string): boolean => this.#opening > 0 || this.subagents?.expects(sessionId) === true;

  /** A session that opens, with what the agent has begun for it already. */
  #take(sessionId: string, params: unknown): S {
    const session = this.#early.take(sessionId);
    session?.setUp(params);
    return session ?? this.#create(sessionId, params);
  }

  #create(sessionId: string, params: unknown): S {
    const { methods, calls, connection, report, hasUpdateHandler, create } = this.#options;
    return create(sessionId, params, {
      methods,
      calls,
      hasUpdateHandler,
      withdrawQuestions: (id, isConcerned) => {
        for (const prompt of promptsOf(connection.calls, id)) prompt.withdrawn = true;
        this.#withdraw((of, _call, asked) => of === id && isConcerned?.(asked) !== false, id);
      },
      onUnobserved: (id) => {
        const message =
          "Updates of a session reach nobody: there is no handler for session/update, so a state or an iterator has to " +
          "be made right after the session was opened, before anything else is awaited";
        report({ type: "unobserved-updates", level: "info", message, sessionId: id });
      },
      onUnopened: (id, updates) => {
        if (hasUpdateHandler || this.#isRepeated || updates.length === 0) return;
        const message = `${updates.length} updates of a session reached nobody: it could not be opened`;
        const received = updates.map((update) => ({ sessionId: id, update }));
        report({ type: "unclaimed-session", level: "warning", message, sessionId: id, received });
      },
      onObserverFailed: (id, error) => {
        const message = `An observer of a session failed, or a listener of its state: ${describeError(error)}`;
        report({ type: "observer-failed", level: "error", message, error, sessionId: id });
      },
      onBacklog: (id, size) => {
        const message = `${size} updates of a session wait to be iterated`;
        report({ type: "backlog", level: "warning", message, queue: "updates", size, sessionId: id });
      },
    });
  }
}
