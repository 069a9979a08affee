import { type Abortable, AbortReason, LazyAbort } from "../../base/abort.ts";
import { AcpError, RequestError, UsageError } from "../../base/errors.ts";
import { enqueueAfterNotifications } from "../../rpc/answer-order.ts";
import {
  createSessionPeer,
  type MetaOptions,
  pickMeta,
  type RequestOptions,
  type SessionPeer,
} from "../../rpc/peer.ts";
import type { QueuedNotification } from "../../rpc/dispatcher.ts";
import type { ClientSessionLink } from "./client-session-link.ts";
import { noSlot, replacedBy, type Slot } from "./slots/slot.ts";
import type { StallLimits, StallStep } from "./stall-watch.ts";
import type { TurnSession } from "./turn.ts";
import { SessionEvents } from "./session-events.ts";
import { type AnyUpdate, createUpdateEvent, type UpdateEvent } from "./updates/update-event.ts";
import type { UnreadUpdates } from "./updates/unread-updates.ts";
import { UpdateStream } from "./updates/update-stream.ts";

/** A message that was received for a session. */
interface ReceivedMessage {
  readonly method: string;
  readonly params: unknown;
  /** Its length on the wire, in characters. */
  readonly size?: number;
}

/** An event in a session of any version. */
export type CommonEvent<Update> = UpdateEvent<Update> | { readonly type: "closed" };

/** Something that receives the updates of a session, such as a turn. */
export interface Follower<Update> {
  /** The event that started it. */
  readonly start: object;
  readonly isObserved: boolean;
  readonly room: Promise<void> | undefined;
  push(update: Update): void;
}

interface Directories {
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[] | null;
}

const always = (): boolean => true;

/**
 * A client's session from its opening to its end, in any version.
 *
 * `Methods` are those of the agent, `More` the events that only this version has.
 */
export abstract class ClientSession<
  Methods = unknown,
  Update extends AnyUpdate = AnyUpdate,
  More = unknown,
> implements TurnSession {
  readonly id: string;
  cwd = "";
  additionalDirectories: readonly string[] = [];
  parent: this | undefined;
  meta: { readonly [key: string]: unknown } = {};
  replaysHistory = false;
  readonly agent: SessionPeer<Methods>;
  /** Its slot under its id, with its state. Only the slots of the connection write it. */
  slot: Slot<this> = noSlot;
  /** Whether it was open before its first update. Otherwise the updates before that are its history. */
  protected isOpenedFirst = false;
  /** The second argument of handlers of its notifications, made once. */
  context: object | undefined;
  /** How many updates of turns have arrived. Updates of the session itself, such as its title, do not count. */
  turnUpdateCount = 0;
  /** The last message that arrived for the session or for one of its subagents. */
  #last: ReceivedMessage | undefined;
  #messages = 0;
  /** The running tool calls and terminals, each as its kind and its id. */
  #work: Set<string> | undefined;
  protected readonly link: ClientSessionLink;
  protected readonly stream: UpdateStream<Update>;
  protected readonly events: SessionEvents<CommonEvent<Update> | More>;
  protected readonly ended: LazyAbort = new LazyAbort();
  /** Aborts when the prompts that are pending now are cancelled. */
  #promptsCancelled: LazyAbort | undefined;
  /** The latest update of each kind that is about the session itself, such as its title. */
  readonly #latest = new Map<string, Update>();
  /** The turns in which updates arrived that had to wait. */
  #turns: WeakMap<Update, Follower<Update> | undefined> | undefined;
  /** The starts of turns that observers get after earlier updates, each with a function that emits it. */
  #unshown: Map<object, () => void> | undefined;
  #isReportedUnobserved = false;

  constructor(id: string, params: unknown, link: ClientSessionLink) {
    this.id = id;
    this.link = link;
    this.setUp(params);
    this.stream = new UpdateStream({ sessionId: id, unread: link.unread, keepsQuietly: true });
    this.events = new SessionEvents((error) => link.onObserverFailed(id, error));
    this.agent = createSessionPeer<Methods>(link.calls, link.methods, this);
    // Until the code that awaits the opening has had the chance to iterate.
    this.stream.keep();
  }

  /** Whether it is open: the agent has answered the request that opens it, or has opened it by itself. */
  get isAttached(): boolean {
    return this.slot.state === "open" || this.unclaimed;
  }

  /** Whether the agent has opened it by itself, and this client has not claimed it. */
  get unclaimed(): boolean {
    return this.slot.state === "unclaimed";
  }

  /** The session that this one replaces once it has been opened. */
  get replaced(): this | undefined {
    return replacedBy(this.slot);
  }

  /** The error with which the agent refused to open it, while the user logs in. */
  get refusal(): unknown {
    return this.slot.refusal;
  }

  /** A request that ends it is in flight. */
  get isEnding(): boolean {
    return this.slot.endings > 0;
  }

  /** A message of the session has arrived: its turns make progress. */
  onReceived(message: ReceivedMessage): void {
    this.#messages++;
    this.#last = message;
    this.parent?.onReceived(message);
    this.replaced?.onReceived(message);
  }

  get progress(): number {
    return this.#messages + this.link.countUnopened();
  }

  get lastSeen(): string | undefined {
    if (this.#last === undefined) return undefined;
    const { method, params } = this.#last;
    const { update } = (params ?? {}) as { readonly update?: { readonly sessionUpdate?: unknown } };
    return typeof update?.sessionUpdate === "string" ? `${method} (${update.sessionUpdate})` : method;
  }

  get isBusy(): boolean {
    return this.hasWork || this.link.isAgentWaiting(this);
  }

  /** Whether a tool call or a terminal is running. */
  get hasWork(): boolean {
    return this.#work !== undefined && this.#work.size > 0;
  }

  /** Records that a tool call or a terminal has started or ended. */
  protected setWork(key: string, isRunning: boolean): void {
    if (isRunning) (this.#work ??= new Set()).add(key);
    else this.#work?.delete(key);
  }

  /** Forgets the tool calls and terminals of a turn that is over: not every agent reports that they ended. */
  protected forgetWork(): void {
    this.#work = undefined;
  }

  get stall(): StallLimits {
    return this.link.stall;
  }

  get unread(): UnreadUpdates {
    return this.link.unread;
  }

  get receivedSize(): number {
    return this.#last?.size ?? 0;
  }

  /** The oldest turn: a loop may still have to read its updates. */
  protected abstract get follower(): Follower<Update> | undefined;

  /** The turn that an update belongs to which arrives now. */
  protected abstract get turnNow(): Follower<Update> | undefined;

  /** Pending while a loop over the updates has left too much unread, if it is to be waited for. */
  get room(): Promise<void> | undefined {
    return this.stream.room ?? this.follower?.room ?? this.replaced?.room;
  }

  onStall(step: StallStep): void {
    if (!this.ended.aborted) this.link.onStall(this.id, step);
  }

  /** Reads the params of the request that opens it. */
  setUp(params: unknown): void {
    const { cwd, additionalDirectories } = params as Directories;
    this.cwd = cwd ?? "";
    this.additionalDirectories = additionalDirectories ?? [];
  }

  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** An object that is the same for all sessions of a connection. */
  get connection(): object {
    return this.link.calls;
  }

  get updates(): AsyncIterable<Update> {
    return this.stream;
  }

  /** Opens the session with the answer of the agent. */
  abstract attach(answer: object): void;

  /** Opens a session that the agent has opened by itself. */
  openUnclaimed(): void {
    this.isOpenedFirst = true;
    this.attach({ sessionId: this.id });
  }

  get keepsUpdates(): boolean {
    return this.stream.isKeeping;
  }

  /** Discards the updates that are kept until the session is claimed. */
  forgetUpdates(): void {
    const { kept } = this.stream;
    this.stream.forget();
    if (!this.events.isObserved)
      this.link.onUndelivered(this.id, kept, "nobody claimed it, and there are too many of them");
  }

  /** Runs after the opener continued. Discards the updates that it did not ask for. */
  onOpenerDone(): void {
    const { kept } = this.stream;
    this.stream.forget();
    // These updates are lost: the agent replays a history only once.
    if (kept.length > 0 && !this.events.isObserved && !this.link.hasUpdateHandler) this.#reportUnobserved();
  }

  /** An update has arrived. Returns the turn that it belongs to: the one in which it arrived. */
  onArrived(update: Update): Follower<Update> | undefined {
    this.replaced?.onQueued(update);
    return this.turnNow;
  }

  /** The same for an update that waits for its handler: by then, another turn may have started. */
  onQueued(update: Update): void {
    (this.#turns ??= new WeakMap()).set(update, this.onArrived(update));
  }

  /** The turn in which a waiting update arrived; `undefined` if the session was not open then. */
  turnOf(update: Update): Follower<Update> | undefined {
    return this.#turns?.get(update);
  }

  /** Handles an update that is no longer queued, before the user's handler runs. `turn` is the one that it belongs to. */
  abstract receive(update: Update, turn: Follower<Update> | undefined): void;

  /** Whether {@link onHandled} has to run once the handler of this update is done. */
  needsHandled(_update: Update): boolean {
    return false;
  }

  onHandled(_update: Update): void {}

  /** The agent has asked for permission. */
  abstract onPermissionRequest(params: unknown): void;

  /** The agent has accepted a mode, or the value of an option. */
  abstract onChosen(method: string, params: unknown, result: unknown): void;

  /** Whether a question with these params is answered as cancelled, without asking the user (PERM-07). */
  abstract cancelsQuestion(params: unknown): boolean;

  /** Called before a call is sent. If the agent refuses the call, the result returns true if it may be repeated after a login. */
  watchRepeat(_method: string): () => boolean {
    return always;
  }

  /** Called before a call is sent. If the agent refuses it, the result returns true if the agent has not started to work on it. */
  watchWork(method: string): () => boolean {
    return this.watchRepeat(method);
  }

  /** `session/cancel` was sent. */
  onCancelSent(): void {
    this.cancelTurns();
  }

  /** Marks its turns as cancelled, and answers the questions that are pending for them. */
  abstract cancelTurns(): void;

  /** Ends it. Loops over its updates throw `error`, if there is one. */
  abstract end(reason: unknown, error?: unknown): void;

  /** Aborts when a call of this session no longer waits for a login. */
  abortableFor(method: string): Abortable {
    if (method !== this.link.names.prompt) return this.ended;
    this.#promptsCancelled ??= new LazyAbort();
    return this.#promptsCancelled;
  }

  async close(options?: RequestOptions & MetaOptions): Promise<void> {
    // Its id may belong to another session by now.
    if (this.ended.aborted) return;
    // The agent has refused to open it. Ending it here keeps the call from being repeated.
    if (this.refusal !== undefined) return this.end(this.refusal);
    const { names, calls } = this.link;
    try {
      await calls.request(names.close, { sessionId: this.id, ...pickMeta(options) }, options);
    } catch (error) {
      // Another call has closed it meanwhile.
      if (!this.ended.aborted || !(error instanceof RequestError)) throw error;
    }
  }

  /** The error of a call for a session that has ended. */
  protected endedError(method: string): Error {
    const { reason } = this.ended;
    if (reason instanceof AcpError) return reason;
    return new UsageError(`${method}: the session has ended; open it again`, { cause: reason });
  }

  /** Keeps an update about the session itself, such as its title, for later observers. */
  protected keepLatest(kind: string, update: Update): void {
    this.#latest.set(kind, update);
  }

  protected latest(kind: string): Update | undefined {
    return this.#latest.get(kind);
  }

  /**
   * The events that a new observer gets first: the kept updates, and the opening, which comes after a history. If none are
   * kept any more, the latest update of each kind comes last.
   */
  protected pastEvents<Event>(opened: () => Event): (CommonEvent<Update> | Event)[] {
    const kept = this.stream.kept.map((update) => createUpdateEvent(update));
    const opening = this.isAttached ? [opened()] : [];
    const latest = this.stream.isKeeping ? [] : this.#latest.values();
    return [
      ...(this.isOpenedFirst ? [...opening, ...kept] : [...kept, ...opening]),
      ...Array.from(latest, (update) => createUpdateEvent(update)),
    ];
  }

  /** Passes an update to all observers and loops of the session and the turn. With `isKept` also to later observers. */
  protected show(update: Update, turn: Follower<Update> | undefined, isKept: boolean): void {
    if (this.events.isObserved || this.stream.isObserved || turn?.isObserved === true) {
      this.stream.push(update, this.receivedSize);
      turn?.push(update);
      this.events.emit(createUpdateEvent(update), isKept || this.stream.isKeeping);
    } else if (!this.link.hasUpdateHandler) this.#reportUnobserved();
  }

  /** The updates that have arrived and wait to be handled, each with its notification. */
  protected get waiting(): readonly { readonly update: Update; readonly notification: QueuedNotification }[] {
    const { lanes, names } = this.link;
    return (lanes.at(this.id)?.items ?? []).flatMap(({ notification }) => {
      if (notification?.method !== names.update || notification.isDelivered === true) return [];
      return { ...(notification.params as { readonly update: Update }), notification };
    });
  }

  /**
   * Delivers the waiting updates, whose handler runs later: loops and observers get all that arrived before the end of a
   * turn or of the session, and must not wait for a handler that may never return.
   */
  deliverWaiting(): void {
    for (const { update, notification } of this.waiting) {
      const receiver = this.link.receiver(notification);
      const session = [this, this.replaced].find((one) => one === receiver);
      if (session === undefined) continue;
      const turn = session.turnOf(update);
      notification.isDelivered = true;
      session.onReceived(notification);
      session.showNow(turn?.start);
      session.receive(update, turn);
    }
  }

  /** Reports the start of a turn to observers, after the updates that arrived before it. */
  protected showStart(start: object, show: () => void): void {
    if (this.waiting.length === 0) return show();
    (this.#unshown ??= new Map()).set(start, show);
    enqueueAfterNotifications(this.link.lanes, this.id, 0, () => this.showNow(start));
  }

  protected isShown(start: object): boolean {
    return this.#unshown?.has(start) !== true;
  }

  /**
   * Reports the start of a turn, and of those before it, to observers before any of its events. A
   * question does not wait for updates that came before.
   */
  protected showNow(start: object | undefined): void {
    if (start === undefined || this.isShown(start)) return;
    for (const [each, show] of this.#unshown ?? []) {
      this.#unshown?.delete(each);
      show();
      if (each === start) return;
    }
  }

  protected abortLogins(): void {
    this.#promptsCancelled?.abort(new AbortReason("The turn was cancelled"));
    this.#promptsCancelled = undefined;
  }

  protected reportUnopened(): void {
    if ((this.isAttached && !this.unclaimed) || this.events.isObserved) return;
    const why = this.unclaimed ? "nobody claimed it" : "the session could not be opened";
    this.link.onUndelivered(this.id, this.stream.kept, why);
  }

  /** The last step of its end. */
  protected finish(reason: unknown, error: unknown): void {
    this.stream.end(error);
    for (const start of this.#unshown?.keys() ?? []) this.showNow(start);
    this.events.emit({ type: "closed" }, true);
    this.replaced?.end(reason, error);
  }

  #reportUnobserved(): void {
    if (this.#isReportedUnobserved) return;
    this.#isReportedUnobserved = true;
    this.link.onUnobserved(this.id);
  }
}
