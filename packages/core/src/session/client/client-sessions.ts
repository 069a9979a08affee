import { AbortReason } from "../../base/abort.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { CapabilityError, UsageError } from "../../base/errors.ts";
import { enqueueAfterNotifications } from "../../rpc/answer-order.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { QueuedNotification } from "../../rpc/dispatcher.ts";
import { abandonLane, claimLane, holdsSome } from "../../rpc/held-lanes.ts";
import { reportRule } from "../../rpc/invalid-message.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import type { ClientRole, SessionHost, SubagentSessions } from "../../rpc/role.ts";
import type { CancelledQuestions } from "./cancelled-questions.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import type { ClientSession, ClientSessionLink } from "./client-session.ts";
import { EndedSessions } from "./ended-sessions.ts";
import { PlaceholderSessions } from "./placeholder-sessions.ts";
import type { SessionClaim } from "./public-members.ts";
import { createSessionReports } from "./session-reports.ts";
import type { StallLimits } from "./stall-watch.ts";
import { maxUnclaimed, UnclaimedSessions } from "./unclaimed-sessions.ts";
import { createUnreadUpdates, type UnreadLimits } from "./updates/unread-updates.ts";
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
  readonly unread: UnreadLimits;
  /** Whether the agent has answered `initialize`. */
  isReady(): boolean;
}

/** Why an unclaimed session is refused files and terminals. */
const noFolders = "it has no folders until the client claims it with claimSession";

/** A call that opens a session. */
export interface OpeningCall<S> {
  readonly method: string;
  readonly params: unknown;
  /** Whether the params or the result name the session. */
  readonly named: "params" | "result";
  /** @throws if the call breaks a rule, before it is sent. */
  check(): void;
  /** `onResult` runs the moment the answer arrives. */
  send(onResult: (result: unknown) => void): Promise<unknown>;
  /** Runs `attempt`. If the agent asks for a login, runs it again after the login, unless the session has ended meanwhile. */
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

/** A client's sessions on one connection: opens them, delivers what arrived before, and ends them. */
export class ClientSessions<S extends ClientSession> {
  /** The sessions of subagents, if the protocol has them. */
  readonly subagents: SubagentSessions | undefined;
  readonly #options: ClientSessionsOptions<S>;
  readonly #link: ClientSessionLink;
  readonly #open = new Map<string, S>();
  readonly #placeholders = new PlaceholderSessions<S>();
  readonly #buffer: UnopenedSessionBuffer;
  readonly #unclaimed: UnclaimedSessions<S>;
  readonly #ended = new EndedSessions();
  /** The calls in flight whose params name the session that they open. */
  readonly #openingById = new Set<OpeningCall<S>>();
  /** How many calls in flight open a session whose id only the answer names. */
  #openingCount = 0;
  /** Whether one of these has failed since there was none: what the agent has asked meanwhile may have been for its session. */
  #hasFailedOpening = false;
  /** The sessions that were claimed while such calls were in flight. */
  readonly #claimedMeanwhile = new Set<S>();
  /** How many notifications have arrived for sessions that nobody has opened. */
  #unopenedCount = 0;
  /** Set while a session ends whose history the agent will replay again. */
  #willReplay = false;

  constructor(options: ClientSessionsOptions<S>) {
    this.#options = options;
    const { lanes } = options.connection;
    this.#buffer = new UnopenedSessionBuffer(lanes, options.report, () => this.#openingCount > 0);
    this.#unclaimed = new UnclaimedSessions(options.report);
    this.#link = this.#createLink();
    const host: SessionHost = {
      get: (id) => this.#open.get(id),
      expect: (id) => claimLane(lanes, id),
      giveUp: (id) => {
        this.#ended.add(id);
        abandonLane(lanes, id);
        this.#placeholders.end(this.#mayOpen);
      },
      open: (id, params, parentId) => {
        const session = this.#takeOrCreate(id, params);
        session.parent = this.#open.get(parentId);
        return this.#attach(session, {});
      },
      close: (id, reason) => this.#close(this.#open.get(id), reason),
    };
    this.subagents = options.table.subagentSessions?.(host, options.capabilities);
  }

  /** The open session with this id. */
  get(sessionId: string): S | undefined {
    return this.#open.get(sessionId);
  }

  /** The open session that params or a result name. */
  forParams(value: unknown): S | undefined {
    const id = readSessionId(value);
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** The session that receives what the agent sends under an id: an open one, or one that nobody has claimed. */
  receiver(sessionId: string): S | undefined {
    return this.#open.get(sessionId) ?? this.#unclaimed.get(sessionId);
  }

  /** The {@link receiver} that params name. */
  receiverFor(params: unknown): S | undefined {
    const id = readSessionId(params);
    return id === undefined ? undefined : this.receiver(id);
  }

  /** The session that receives a notification which is handled now. */
  forNotification(params: unknown): S | undefined {
    let session = this.receiverFor(params);
    while (session?.earlierReceiver !== undefined) session = session.earlierReceiver ?? undefined;
    return session;
  }

  /**
   * The session of a request from the agent: an open one, a placeholder for one that is being opened, or an unclaimed one. A
   * question in an unknown session makes it an unclaimed one.
   *
   * @throws {Refusal} if there are too many placeholders.
   */
  forRequest(params: unknown, isQuestion: boolean): S | undefined {
    const id = readSessionId(params);
    if (id === undefined) return undefined;
    const known = this.receiver(id) ?? this.#placeholders.use(id, isQuestion);
    if (known !== undefined) return known;
    if (this.#mayOpen(id)) return this.#placeholders.add(id, isQuestion, () => this.#create(id, {}));
    return isQuestion && this.#mayAdopt(id) ? this.#adopt(id) : undefined;
  }

  /** Why a request for a session is refused, if there is another reason than that the session is not open. */
  explainRefusal(params: unknown, isQuestion: boolean): string | undefined {
    const id = readSessionId(params);
    if (id === undefined || !this.#mayAdopt(id)) return undefined;
    return isQuestion ? `the client has ${maxUnclaimed} others that it has not claimed` : noFolders;
  }

  /** Whether a notification is handled now, instead of being held until its session is open. */
  isHandled(sessionId: string, notification: QueuedNotification): boolean {
    if (this.receiver(sessionId) !== undefined) return true;
    return this.#isWork(notification) && this.#mayAdopt(sessionId) && this.#adopt(sessionId) !== undefined;
  }

  /** A notification of this session was queued. */
  onQueued(sessionId: string, notification: QueuedNotification): void {
    if (this.#open.has(sessionId)) return;
    this.#unopenedCount++;
    if (!this.isHandled(sessionId, notification)) this.#buffer.onQueued(sessionId);
  }

  /** An unclaimed session has received an update of this length. */
  onUnclaimedUpdate(session: S, length: number): void {
    this.#unopenedCount++;
    this.#unclaimed.onUpdate(session, length);
  }

  /** Makes an unclaimed session an open one. */
  claim(claim: SessionClaim): S {
    const { sessionId } = claim;
    if (this.#open.has(sessionId) || this.#isOpeningById(sessionId)) {
      throw new UsageError(`claimSession: the session '${sessionId}' is open here already, or is being opened`);
    }
    const session = this.#takeOrCreate(sessionId, claim);
    if (this.#openingCount > 0) this.#claimedMeanwhile.add(session);
    // An unclaimed session has emitted its opening already.
    return session.isAttached ? this.#register(session) : this.#attach(session, { sessionId });
  }

  /** Calls a method that opens a session. Repeats the call after a login, for the same session. */
  async open(call: OpeningCall<S>): Promise<unknown> {
    const { params } = call;
    const known = call.named === "params" ? readSessionId(params) : undefined;
    let loading = known === undefined ? undefined : this.#create(known, params);
    if (known !== undefined) this.#openingById.add(call);
    try {
      return await call.withLogin(() => {
        // The agent had replayed some of the history before it refused, and will replay it again.
        if (known !== undefined && loading !== undefined && loading.turnUpdateCount > 0) {
          this.#willReplay = loading.replaysHistory;
          loading.end(loading.refusal, loading.refusal);
          this.#willReplay = false;
          loading = this.#create(known, params);
        }
        return this.#tryOpen(call, loading);
      }, loading);
    } catch (error) {
      // Giving up a login does not end an open session with the same id.
      loading?.end(loading.refusal ?? error, error);
      if (known !== undefined && this.receiver(known) === undefined) this.#ended.add(known);
      throw error;
    } finally {
      this.#openingById.delete(call);
    }
  }

  async #tryOpen(call: OpeningCall<S>, loading: S | undefined): Promise<unknown> {
    const { method, params } = call;
    try {
      call.check();
    } catch (error) {
      throw fromCaller(error, this.open);
    }
    const before = loading && this.receiver(loading.id);
    // The updates of two sessions with one id could not be distinguished.
    if (before?.isAttached === false) {
      throw new UsageError(`${method}: the session '${before.id}' is being opened already; wait for that call`);
    }
    if (loading !== undefined) {
      loading.refusal = undefined;
      loading.replaysHistory = this.#options.dialect.replaysHistory(method, params);
      loading.replaced = before;
      // It is open while the agent replays its history.
      this.#open.set(loading.id, loading);
      this.#takeOverLane(loading, before);
    }
    if (loading === undefined) this.#openingCount++;
    try {
      return await call.send((result) => {
        const id = loading?.id ?? readSessionId(result);
        if (id === undefined) return;
        if (loading?.signal.aborted) throw endedWhileOpening(method);
        const earlier = loading === undefined ? this.#open.get(id) : before;
        const isClaimed = loading === undefined && earlier !== undefined && this.#claimedMeanwhile.has(earlier);
        if (isClaimed) earlier.setUp(params);
        this.#attach(loading ?? (isClaimed ? earlier : this.#takeOrCreate(id, params)), result as object);
        if (isClaimed) return;
        earlier?.end(new AbortReason(`The session was opened again by ${method}`));
        if (loading !== undefined) loading.replaced = undefined;
        if (loading === undefined && earlier !== undefined) this.#reportRepeatedId(method, id);
      });
    } catch (error) {
      if (loading === undefined) this.#hasFailedOpening = true;
      else this.#onOpeningFailed(loading, before, error);
      throw error;
    } finally {
      if (loading === undefined) this.#openingCount--;
      if (this.#openingCount === 0) this.#adoptWaiting();
      this.#placeholders.end(this.#mayOpen);
    }
  }

  /** Runs when no new session is being opened any more. What was received for other ids is for sessions that the agent has opened. */
  #adoptWaiting(): void {
    if (!this.#hasFailedOpening) {
      for (const [id, { session, hasOthers }] of this.#placeholders.asking()) {
        if (!this.#mayAdopt(id) || !this.#unclaimed.hasRoomFor(id)) continue;
        this.#placeholders.take(id);
        this.#adopt(id, hasOthers ? undefined : session);
        // Ends the files and terminals that were started in it. Questions stay pending.
        if (!hasOthers) continue;
        session.unclaimed = true;
        session.end(new UsageError(`There is no such open session: ${noFolders}`));
      }
      const { lanes } = this.#options.connection;
      for (const id of this.#buffer.ids()) {
        if (holdsSome(lanes, id, (held) => this.#isWork(held)) && this.#mayAdopt(id)) this.#adopt(id);
      }
    }
    this.#hasFailedOpening = false;
    this.#claimedMeanwhile.clear();
  }

  /** Whether the agent waits for an answer or a handler of this client in a session, or one of its subagents works. */
  #isAgentWaitingIn(session: object, id: string): boolean {
    const { connection, cancelledQuestions } = this.#options;
    if (connection.lanes.at(id) !== undefined || cancelledQuestions.hasOpenRequest(id)) return true;
    for (const other of this.#open.values()) {
      if (other.parent === session && (other.hasWork || this.#isAgentWaitingIn(other, other.id))) return true;
    }
    return false;
  }

  /** Whether the agent waits for an answer in an unclaimed session: such a session may work for any turn. */
  #isAgentWaitingInUnclaimed(): boolean {
    return this.#unclaimed.values().some(({ id }) => this.#options.cancelledQuestions.hasOpenRequest(id));
  }

  /** Decides which session receives the notifications that were queued before a session started to open. */
  #takeOverLane(loading: S, before: S | undefined): void {
    const { lanes } = this.#options.connection;
    const lane = lanes.at(loading.id);
    // Delivers now what arrived while no session was open. Otherwise the history would be queued behind it until the answer.
    if (lane?.held === "unclaimed") this.#buffer.claim(loading.id, () => {});
    else if (lane !== undefined) {
      loading.earlierReceiver = before ?? null;
      enqueueAfterNotifications(lanes, loading.id, 0, () => {
        loading.earlierReceiver = undefined;
      });
    }
  }

  /** Restores the session before, if there was one. The new one may have been closed meanwhile. */
  #onOpeningFailed(loading: S, before: S | undefined, error: unknown): void {
    loading.refusal = error;
    if (this.#open.get(loading.id) !== loading) return;
    loading.replaced = undefined;
    if (before === undefined || before.signal.aborted || before.unclaimed) this.#open.delete(loading.id);
    else this.#open.set(loading.id, before);
  }

  /** Calls a method that ends a session. The agent cancels what runs in it (SESS-15). */
  async end(session: S, method: string, call: () => Promise<unknown>): Promise<unknown> {
    // While it is being opened, it may still fail. Then the request has ended the session that it was to replace.
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

  /** Opens a session. What has arrived for it is delivered once the code that awaits the opening has run. */
  #attach(session: S, answer: object): S {
    // Without an id, it does not process the updates that are queued: an unclaimed session has done so when they arrived.
    session.attach(session.isAttached ? { ...answer, sessionId: undefined } : answer);
    return this.#register(session);
  }

  #register(session: S): S {
    session.unclaimed = false;
    this.#unclaimed.take(session.id);
    this.#ended.delete(session.id);
    this.#open.set(session.id, session);
    this.#buffer.claim(session.id, () => session.onOpenerDone());
    return session;
  }

  #close(session: S | undefined, reason: unknown): void {
    session?.end(reason);
    // It may have been opened again meanwhile.
    if (session === undefined || this.receiver(session.id) !== session) return;
    this.#open.delete(session.id);
    this.#unclaimed.take(session.id);
    this.#ended.add(session.id);
  }

  /** Ends all. Loops over their updates throw `error`, if there is one. */
  endAll(reason: Error, error: Error | undefined): void {
    this.#buffer.end();
    this.#placeholders.end(() => false, reason);
    // Subagents before their parents, whose end would end them without `error`.
    const sessions = [...this.#open.values(), ...this.#unclaimed.values()];
    for (const session of sessions.toReversed()) session.end(reason, error);
    this.#open.clear();
  }

  /** Whether a session that is not open may be open soon. */
  readonly #mayOpen = (sessionId: string): boolean =>
    this.#openingCount > 0 || this.subagents?.expects(sessionId) === true;

  /** Whether an unknown session can only be one that the agent has opened by itself. */
  #mayAdopt(sessionId: string): boolean {
    if (this.#mayOpen(sessionId) || this.#ended.has(sessionId) || this.#isOpeningById(sessionId)) return false;
    return this.#options.isReady();
  }

  #isOpeningById(sessionId: string): boolean {
    for (const { params } of this.#openingById) if (readSessionId(params) === sessionId) return true;
    return false;
  }

  /** Whether a notification shows that an agent works in its session. Titles also change in sessions that are only listed. */
  #isWork({ method, params }: QueuedNotification): boolean {
    if (method !== this.#options.dialect.methods.update) return false;
    const { update } = params as { readonly update: { readonly sessionUpdate?: unknown } };
    return update.sessionUpdate !== "session_info_update";
  }

  /** Creates an unclaimed session, and delivers what was kept for it. Returns `undefined` if there are too many. */
  #adopt(sessionId: string, placeholder?: S): S | undefined {
    if (!this.#unclaimed.hasRoomFor(sessionId)) return undefined;
    const session = placeholder ?? this.#create(sessionId, {});
    session.openUnclaimed();
    this.#unclaimed.add(session);
    this.#buffer.release(sessionId);
    return session;
  }

  /** Returns the session to open: the placeholder or the unclaimed one with this id, or a new one. */
  #takeOrCreate(sessionId: string, params: unknown): S {
    const session = this.#placeholders.take(sessionId) ?? this.#unclaimed.take(sessionId);
    session?.setUp(params);
    return session ?? this.#create(sessionId, params);
  }

  #create(sessionId: string, params: unknown): S {
    return this.#options.dialect.createSession(sessionId, params, this.#link);
  }

  #createLink(): ClientSessionLink {
    const { dialect, methods, calls, connection, cancelledQuestions, report, hasUpdateHandler, stall, unread } =
      this.#options;
    const reports = createSessionReports(report, dialect.methods, hasUpdateHandler);
    return {
      ...reports,
      // The agent replays these updates again, after the login.
      onUndelivered: (...updates) => {
        if (!this.#willReplay) reports.onUndelivered(...updates);
      },
      stall,
      unread: createUnreadUpdates(unread, report),
      countUnopened: () => this.#unopenedCount,
      isAgentWaiting: (session) => this.#isAgentWaitingIn(session, session.id) || this.#isAgentWaitingInUnclaimed(),
      names: dialect.methods,
      methods,
      calls,
      lanes: connection.lanes,
      hasUpdateHandler,
      cancelQuestions: (id, isConcerned) => cancelledQuestions.cancelIn(id, isConcerned),
    };
  }
}
