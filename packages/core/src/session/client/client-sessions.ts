import { AbortReason } from "../../base/abort.ts";
import { UsageError } from "../../base/errors.ts";
import type { QueuedNotification } from "../../rpc/dispatcher.ts";
import { holdAll, holdNotifications, holdsSome } from "../../rpc/held-lanes.ts";
import { reportRule } from "../../rpc/invalid-message.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import type { SessionHost, SubagentSessions } from "../../rpc/role.ts";
import type { AgentFacts } from "./client-dialect.ts";
import type { ClientScope } from "./client-scope.ts";
import type { ClientSession } from "./client-session.ts";
import type { ClientSessionLink } from "./client-session-link.ts";
import { endedWhileOpening, fromCaller, type OpeningCall, reopenedBy } from "./opening-call.ts";
import { OpeningRound } from "./opening-round.ts";
import type { SessionClaim } from "./public-members.ts";
import type { CancelledQuestions } from "./rules/cancel-questions.ts";
import { createSessionReports, reportUnclaimed } from "./session-reports.ts";
import type { SessionSlots } from "./slots/session-slots.ts";
import { isAsking, isPlaceholder } from "./slots/slot.ts";
import { maxUnclaimed, type SlotBudgets } from "./slots/slot-budgets.ts";
import { createUnreadUpdates } from "./updates/unread-updates.ts";
import { UnopenedSessionBuffer } from "./unopened-session-buffer.ts";

/** Why an unclaimed session is refused files and terminals. */
const noFolders = "it has no folders until the client claims it with claimSession";

/** A client's sessions on one connection: opens them, delivers earlier messages, and ends them. */
export class ClientSessions<S extends ClientSession> {
  /** The sessions of subagents, if the protocol has them. */
  readonly subagents: SubagentSessions | undefined;
  readonly #scope: ClientScope<S, AgentFacts>;
  readonly #questions: CancelledQuestions<S>;
  readonly #link: ClientSessionLink;
  readonly #buffer: UnopenedSessionBuffer;
  readonly #budgets: SlotBudgets<S>;
  readonly #slots: SessionSlots<S>;
  readonly #round = new OpeningRound<S>();
  /** How many notifications have arrived for unopened sessions. */
  #unopenedCount = 0;
  /** The receivers of notifications that were queued before their session ended, or another one started to open. */
  readonly #earlier = new WeakMap<QueuedNotification, S | undefined>();
  /** Set while a session ends whose history the agent will replay again. */
  #willReplay = false;

  constructor(scope: ClientScope<S, AgentFacts>, questions: CancelledQuestions<S>, calls: PeerCalls) {
    this.#scope = scope;
    this.#questions = questions;
    const { lanes } = scope.connection;
    this.#buffer = new UnopenedSessionBuffer(lanes, scope.report, () => this.#round.isRunning);
    this.#budgets = scope.budgets;
    this.#slots = scope.slots;
    this.#link = this.#createLink(calls);
    const host: SessionHost = {
      get: (id) => this.#slots.live(id),
      expect: (id) => holdAll(lanes, id),
      giveUp: (id) => {
        this.#slots.bury(id);
        holdNotifications(lanes, id);
        this.#dropPlaceholders();
      },
      open: (id, params, parentId) => {
        const session = this.#takeOrCreate(id, params);
        session.parent = this.#slots.live(parentId);
        return this.#attach(session, {});
      },
      close: (id, reason) => this.#close(this.#slots.live(id), reason),
    };
    this.subagents = scope.table.subagentSessions?.(host, scope.capabilities);
  }

  /** The session that a notification is for which is handled now. */
  receiver(notification: QueuedNotification): S | undefined {
    if (this.#earlier.has(notification)) return this.#earlier.get(notification);
    return this.#slots.receiverFor(notification.params);
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
    const receiver = this.#slots.receiver(id);
    if (receiver !== undefined) return receiver;
    if (this.#mayOpen(id) || this.#slots.placeholder(id) !== undefined) return this.#hold(id, isQuestion);
    return isQuestion && this.#mayAdopt(id) ? this.#adopt(id) : undefined;
  }

  /** Serves a request in a session that may be open soon. */
  #hold(id: string, isQuestion: boolean): S {
    let slot = this.#slots.placeholder(id);
    if (slot === undefined) {
      this.#budgets.checkPlaceholder(id);
      slot = this.#slots.hold(id, () => this.#create(id, {}));
    }
    if (isQuestion) slot.hasQuestions = true;
    else slot.hasOthers = true;
    return slot.session!;
  }

  /** Why a request for a session is refused, if there is another reason than that the session is not open. */
  explainRefusal(params: unknown, isQuestion: boolean): string | undefined {
    const id = readSessionId(params);
    if (id === undefined || (this.#slots.state(id) !== "unclaimed" && !this.#mayAdopt(id))) return undefined;
    return isQuestion ? `the client has ${maxUnclaimed} others that it has not claimed` : noFolders;
  }

  /** Whether a notification is handled now, instead of being held until its session is open. */
  isHandled(sessionId: string, notification: QueuedNotification): boolean {
    if (this.#slots.receiver(sessionId) !== undefined) return true;
    return this.#isWork(notification) && this.#mayAdopt(sessionId) && this.#adopt(sessionId) !== undefined;
  }

  /** A notification of this session was queued. */
  onQueued(sessionId: string, notification: QueuedNotification): void {
    if (this.#slots.live(sessionId) !== undefined) return;
    this.#unopenedCount++;
    if (!this.isHandled(sessionId, notification)) this.#buffer.onQueued(sessionId);
  }

  /** An unclaimed session has received an update of this length. */
  onUnclaimedUpdate(session: S, length: number): void {
    this.#unopenedCount++;
    this.#budgets.onUpdate(session, length);
  }

  /** Makes an unclaimed session an open one. */
  claim(claim: SessionClaim): S {
    const { sessionId } = claim;
    if (this.#slots.live(sessionId) !== undefined || this.#slots.isWanted(sessionId)) {
      throw new UsageError(`claimSession: the session '${sessionId}' is open here already, or is being opened`);
    }
    const session = this.#takeOrCreate(sessionId, claim);
    this.#round.claimed(session);
    // An unclaimed session has emitted its opening already.
    if (!session.isAttached) return this.#attach(session, { sessionId });
    this.#slots.open(session);
    return this.#deliver(session);
  }

  /** Calls a method that opens a session. Repeats the call after a login, for the same session. */
  async open(call: OpeningCall<S>): Promise<unknown> {
    const { params } = call;
    const known = call.named === "params" ? readSessionId(params) : undefined;
    if (known === undefined) return call.within((given) => this.#tryOpen(call, given, undefined), undefined);
    // The agent's pending requests for a session that may open soon continue in it.
    const wish = this.#slots.want(known, () => this.#create(known, params));
    try {
      return await call.within((given) => {
        // The agent had replayed some of the history before it refused, and will replay it again.
        if (wish.session.turnUpdateCount > 0) {
          const { replaysHistory, refusal } = wish.session;
          this.#willReplay = replaysHistory;
          wish.session.end(refusal, refusal);
          this.#willReplay = false;
          wish.session = this.#create(known, params);
        }
        return this.#tryOpen(call, given, wish.session);
      }, wish.session);
    } catch (error) {
      this.#onNotOpened(wish.session, error);
      throw error;
    } finally {
      this.#slots.unwant(wish);
      this.#dropPlaceholders();
    }
  }

  /** A call has failed, and is not repeated. */
  #onNotOpened(session: S, error: unknown): void {
    // The agent has asked something in it, and may open it all the same.
    if (this.#mayOpen(session.id) && this.#slots.isHeld(session)) return session.setUp({});
    // Giving up a login does not end an open session with the same id.
    session.end(session.refusal ?? error, error);
    this.#slots.bury(session.id);
    this.#cancelLost(session.id);
  }

  async #tryOpen(call: OpeningCall<S>, params: unknown, loading: S | undefined): Promise<unknown> {
    try {
      call.check(params);
    } catch (error) {
      throw fromCaller(error, this.open);
    }
    return loading === undefined ? this.#openNew(call, params) : this.#openKnown(call, params, loading);
  }

  /** Opens a session that the answer names. */
  async #openNew({ method, send }: OpeningCall<S>, params: unknown): Promise<unknown> {
    const isOver = this.#round.begin();
    let hasFailed = true;
    try {
      const answer = await send(params, (result) => {
        const id = readSessionId(result);
        if (id === undefined) return;
        const earlier = this.#slots.live(id);
        const isClaimed = earlier !== undefined && this.#round.wasClaimed(earlier);
        if (isClaimed) earlier.setUp(params);
        this.#attach(isClaimed ? earlier : this.#takeOrCreate(id, params), result as object);
        if (isClaimed || earlier === undefined) return;
        earlier.end(reopenedBy(method));
        this.#reportRepeatedId(method, id);
      });
      hasFailed = false;
      return answer;
    } finally {
      isOver(hasFailed);
      this.#settleRound();
    }
  }

  /** Opens a session that the params name. It receives the agent's messages while it replays the history. */
  async #openKnown({ method, send }: OpeningCall<S>, params: unknown, loading: S): Promise<unknown> {
    const { id } = loading;
    // The updates of two sessions with one id could not be distinguished.
    if (this.#slots.state(id) === "opening") {
      throw new UsageError(`${method}: the session '${id}' is being opened already; wait for that call`);
    }
    loading.setUp(params);
    loading.replaysHistory = this.#scope.dialect.replaysHistory(method, params);
    this.#slots.begin(loading);
    const { replaced } = loading;
    this.#takeOverLane(loading);
    try {
      return await send(params, (result) => {
        if (loading.signal.aborted) throw endedWhileOpening(method);
        this.#attach(loading, result as object);
        replaced?.end(reopenedBy(method));
      });
    } catch (error) {
      loading.deliverWaiting();
      this.#slots.refuse(loading, error);
      throw error;
    } finally {
      this.#settleRound();
    }
  }

  /** An opening is over. Once no new session is opening, messages for other ids belong to the agent's own sessions. */
  #settleRound(): void {
    if (this.#round.settle()) this.#adoptOthers();
    this.#dropPlaceholders();
  }

  #adoptOthers(): void {
    for (const { session, hasOthers } of this.#slots.values(isAsking)) {
      const { id } = session!;
      if (!this.#mayAdopt(id) || !this.#budgets.hasRoomFor(id)) continue;
      this.#adopt(id, hasOthers === true ? undefined : session);
      // Ends the files and terminals that were started in it. Questions stay pending.
      if (hasOthers === true) session!.end(new UsageError(`There is no such open session: ${noFolders}`));
    }
    const { lanes } = this.#scope.connection;
    for (const id of this.#buffer.ids()) {
      if (holdsSome(lanes, id, (held) => this.#isWork(held)) && this.#mayAdopt(id)) this.#adopt(id);
    }
  }

  /** Ends the sessions of requests that will not open. */
  #dropPlaceholders(reason?: Error): void {
    for (const { session } of this.#slots.values(isPlaceholder)) {
      const { id, signal } = session!;
      const mayOpen = this.#mayOpen(id) || this.#slots.isWanted(id);
      if (reason === undefined && mayOpen && !signal.aborted) continue;
      this.#slots.drop(session!);
      session!.end(reason ?? new AbortReason("The session was not opened"));
    }
  }

  /** Whether the agent waits for an answer or a handler of this client in a session, or one of its subagents works. */
  #isAgentWaitingIn(session: { readonly id: string }): boolean {
    const { id } = session;
    if (this.#scope.connection.lanes.at(id) !== undefined || this.#questions.hasOpenRequest(id)) return true;
    const subagents = this.#slots.allLive().filter(({ parent }) => parent === session);
    return subagents.some((subagent) => subagent.hasWork || this.#isAgentWaitingIn(subagent));
  }

  /** Decides which session receives the notifications that were queued before a session started to open. */
  #takeOverLane({ id, replaced }: S): void {
    const lane = this.#scope.connection.lanes.at(id);
    // Delivers earlier messages now. Otherwise the history would be queued behind them until the answer.
    if (lane?.held === "notifications") return this.#buffer.releaseSoon(id);
    this.#keepQueued(id, replaced);
  }

  /** What is queued now for a session is for `receiver`, also when the session is no longer open; `undefined` for nobody. */
  #keepQueued(id: string, receiver: S | undefined): void {
    for (const { notification } of this.#scope.connection.lanes.at(id)?.items ?? []) {
      if (notification !== undefined && !this.#earlier.has(notification)) this.#earlier.set(notification, receiver);
    }
  }

  /** Calls a method that ends a session. The agent cancels its work (SESS-15). */
  async end(session: S, method: string, call: () => Promise<unknown>): Promise<unknown> {
    // While it is being opened, it may still fail. Then the request has ended the session that it was to replace.
    const ending = this.#slots.end(session);
    try {
      const answer = call();
      for (const one of ending) one.cancelTurns();
      const result = await answer;
      const reason = new AbortReason(`The session was ended by ${method}`);
      for (const one of ending) this.#close(one, reason);
      return result;
    } finally {
      this.#slots.afterEnd(ending);
    }
  }

  #reportRepeatedId(method: string, sessionId: string): void {
    const reason = "is the id of a session that is open";
    const message = `The answer of ${method} breaks a rule (/sessionId: ${reason}); the earlier session was ended`;
    const place = { path: ["sessionId"], reason, sessionId };
    reportRule(this.#scope.report, method, message, "SESS-02", place);
  }

  /** Opens a session. Delivers its queued messages after the opener continued. */
  #attach(session: S, answer: object): S {
    const wasAttached = session.isAttached;
    this.#slots.open(session);
    // An unclaimed session has processed its queued updates when they arrived. Without an id, it does not do so again.
    session.attach(wasAttached ? { ...answer, sessionId: undefined } : answer);
    return this.#deliver(session);
  }

  #deliver(session: S): S {
    this.#buffer.releaseSoon(session.id, () => session.onOpenerDone());
    return session;
  }

  #close(session: S | undefined, reason: unknown): void {
    if (session === undefined) return;
    this.#keepQueued(session.id, session);
    session.end(reason);
    this.#slots.close(session);
    this.#cancelLost(session.id);
  }

  /** Cancels the questions of an id that has no receiver any more: not every end of a session does so. */
  #cancelLost(id: string): void {
    if (this.#slots.receiver(id) === undefined) this.#scope.rules.cancelled(id);
  }

  /** Ends all. Loops over their updates throw `error`, if there is one. */
  endAll(reason: Error, error: Error | undefined): void {
    this.#buffer.end();
    this.#dropPlaceholders(reason);
    // Subagents before their parents, whose end would end them without `error`.
    const sessions = [...this.#slots.allLive(), ...this.#budgets.unclaimed()];
    for (const session of sessions.toReversed()) {
      this.#keepQueued(session.id, session);
      session.end(reason, error);
    }
    this.#slots.clear();
  }

  /** Whether a session that is not open may be open soon. */
  readonly #mayOpen = (sessionId: string): boolean =>
    this.#round.isRunning || this.subagents?.expects(sessionId) === true;

  /** Whether an unknown session can only be one that the agent has opened by itself. */
  #mayAdopt(sessionId: string): boolean {
    return !this.#mayOpen(sessionId) && this.#slots.mayAdopt(sessionId) && this.#scope.agent !== undefined;
  }

  /** Whether a notification shows that the agent works in a session. A new title does not: sessions in lists get titles, too. */
  #isWork({ method, params }: QueuedNotification): boolean {
    if (method !== this.#scope.names.update) return false;
    const { update } = params as { readonly update: { readonly sessionUpdate?: unknown } };
    return update.sessionUpdate !== "session_info_update";
  }

  /** Creates an unclaimed session, and delivers its queued messages. Returns `undefined` if there are too many. */
  #adopt(sessionId: string, placeholder?: S): S | undefined {
    if (!this.#budgets.hasRoomFor(sessionId)) return undefined;
    const session = placeholder ?? this.#create(sessionId, {});
    this.#slots.adopt(session);
    session.openUnclaimed();
    reportUnclaimed(this.#scope.report, sessionId);
    this.#buffer.release(sessionId);
    return session;
  }

  /** Returns the session to open: the placeholder or the unclaimed one with this id, or a new one. */
  #takeOrCreate(sessionId: string, params: unknown): S {
    const session = this.#slots.unopened(sessionId);
    session?.setUp(params);
    return session ?? this.#create(sessionId, params);
  }

  #create(sessionId: string, params: unknown): S {
    return this.#scope.dialect.createSession(sessionId, params, this.#link);
  }

  #createLink(calls: PeerCalls): ClientSessionLink {
    const { connection, report, unread } = this.#scope;
    const reports = createSessionReports(this.#scope);
    return {
      ...this.#scope,
      ...reports,
      // The agent replays these updates again, after the login.
      onUndelivered: (...updates) => {
        if (!this.#willReplay) reports.onUndelivered(...updates);
      },
      scope: this.#scope,
      unread: createUnreadUpdates(unread, report),
      countUnopened: () => this.#unopenedCount,
      // An unclaimed session may work for any turn.
      isAgentWaiting: (session) =>
        this.#isAgentWaitingIn(session) ||
        this.#budgets.unclaimed().some(({ id }) => this.#questions.hasOpenRequest(id)),
      calls,
      lanes: connection.lanes,
      receiver: (notification) => this.receiver(notification),
      isIntercepted: this.#scope.interceptors.length > 0,
    };
  }
}
