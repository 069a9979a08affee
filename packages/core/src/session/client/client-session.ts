import { type Abortable, LazyAbort } from "../../base/abort.ts";
import { AcpError, RequestError, UsageError } from "../../base/errors.ts";
import type { Lanes } from "../../rpc/lanes.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import {
  createSessionPeer,
  type MetaOptions,
  type PeerCalls,
  pickMeta,
  type RequestOptions,
  type SessionPeer,
} from "../../rpc/peer.ts";
import type { StallLimits, StallStep } from "./stall-watch.ts";
import type { TurnSession } from "./turn.ts";
import { SessionEvents } from "./session-events.ts";
import { type AnyUpdate, createUpdateEvent, type UpdateEvent } from "./update-event.ts";
import type { UnreadUpdates } from "./unread-updates.ts";
import { UpdateStream } from "./update-stream.ts";

/** The methods that the client's engine treats in a way of their own, by what they do. */
export interface ClientMethodNames {
  readonly initialize: string;
  readonly login: string;
  readonly logout: string;
  readonly prompt: string;
  readonly cancel: string;
  readonly close: string;
  readonly update: string;
  readonly requestPermission: string;
  readonly elicit: string;
  readonly elicitationComplete: string;
}

/** What a session needs from its connection. */
export interface ClientSessionLink {
  readonly names: ClientMethodNames;
  readonly methods: MethodIndex;
  readonly calls: PeerCalls;
  readonly lanes: Lanes;
  readonly hasUpdateHandler: boolean;
  readonly unread: UnreadUpdates;
  /** Answers pending questions of the session as cancelled; with `isConcerned` only those with such params. */
  cancelQuestions(sessionId: string, isConcerned?: (params: unknown) => boolean): void;
  onUnobserved(sessionId: string): void;
  /** Updates have reached nobody, and never will. `why` is a sentence's end. */
  onUnopened(sessionId: string, updates: readonly object[], why: string): void;
  onObserverFailed(sessionId: string, error: unknown): void;
  /** Tool calls have shown terminals that nobody has made. */
  onUnknownTerminals(sessionId: string, count: number): void;
  /** How turns are watched, unless their prompt says something else. */
  readonly stall: StallLimits;
  /** How many messages have arrived for sessions that nobody has opened: such a session may work for any turn. */
  countUnopened(): number;
  /** Whether the agent waits for an answer or a handler of the session, or of one of its subagents. */
  isAwaited(session: { readonly id: string }): boolean;
  onStall(sessionId: string, step: StallStep): void;
}

/** A message that was received for a session. */
interface ReceivedMessage {
  readonly method: string;
  readonly params: unknown;
  /** Its length on the wire, in characters. */
  readonly size?: number;
}

/** What happens in a session of any version. */
export type CommonEvent<Update> = UpdateEvent<Update> | { readonly type: "closed" };

/** Who follows the updates of a session, such as a turn. */
interface Follower<Update> {
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
  /** The agent has opened it by itself, and this client has not claimed it. */
  unclaimed = false;
  readonly agent: SessionPeer<Methods>;
  /** The request that opens it was answered, or the agent has opened it by itself. */
  isAttached = false;
  /** Its first updates came behind its opening, and are no history. */
  protected isOpenedFirst = false;
  /** The open session that this one replaces once it has been opened. */
  replaced: this | undefined;
  /**
   * The session that receives notifications queued before this one started to open; `null` if they reach none. `undefined`
   * once they are handled.
   */
  ahead: this | null | undefined;
  /** The error that the agent refused to open it with, while somebody logs in for it. */
  refusal: unknown;
  /** A request that ends it is in flight. */
  isEnding = false;
  /** The second argument of handlers of its notifications, made once. */
  context: object | undefined;
  /** How many updates have arrived that belong to a turn, and not to the session. */
  received = 0;
  /** What was received last, for the session or for one of its subagents. */
  #last: ReceivedMessage | undefined;
  #messages = 0;
  /** The tool calls and terminals that run, each with its kind before its id. */
  #work: Set<string> | undefined;
  protected readonly link: ClientSessionLink;
  protected readonly stream: UpdateStream<Update>;
  protected readonly events: SessionEvents<CommonEvent<Update> | More>;
  protected readonly ended: LazyAbort = new LazyAbort();
  /** Aborts when the prompts that are pending now are cancelled. */
  #promptsCancelled: LazyAbort | undefined;
  /** The latest of what tells of the session and not of a turn, by kind. */
  readonly #latest = new Map<string, Update>();
  #isReportedUnobserved = false;

  constructor(id: string, params: unknown, link: ClientSessionLink) {
    this.id = id;
    this.link = link;
    this.setUp(params);
    this.stream = new UpdateStream({ sessionId: id, unread: link.unread, keepsQuietly: true });
    this.events = new SessionEvents((error) => link.onObserverFailed(id, error));
    this.agent = createSessionPeer<Methods>(link.calls, link.methods, this);
    // Until its opener has had the chance to iterate.
    this.stream.keep();
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
    return this.hasWork || this.link.isAwaited(this);
  }

  /** Whether a tool call or a terminal runs that its turn waits for. */
  get hasWork(): boolean {
    return this.#work !== undefined && this.#work.size > 0;
  }

  /** A tool call or a terminal has begun, or has ended. */
  protected setWork(key: string, isRunning: boolean): void {
    if (isRunning) (this.#work ??= new Set()).add(key);
    else this.#work?.delete(key);
  }

  /** What agents do not report as finished does not count for the next turn. */
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

  /** Who follows what is received now. */
  protected abstract get follower(): Follower<Update> | undefined;

  /** Pending while a loop over the updates has left too much unread, if it is to be waited for. */
  get room(): Promise<void> | undefined {
    if (this.unread.limits.whenFull !== "wait") return undefined;
    return this.stream.room ?? this.follower?.room ?? this.replaced?.room;
  }

  onStall(step: StallStep): void {
    if (!this.ended.aborted) this.link.onStall(this.id, step);
  }

  /** Takes the params it is opened with. */
  setUp(params: unknown): void {
    const { cwd, additionalDirectories } = params as Directories;
    this.cwd = cwd ?? "";
    this.additionalDirectories = additionalDirectories ?? [];
  }

  get signal(): AbortSignal {
    return this.ended.signal;
  }

  /** The agent without a session: the same for all sessions of a connection. */
  get connection(): object {
    return this.link.calls;
  }

  get updates(): AsyncIterable<Update> {
    return this.stream;
  }

  /** Takes the answer that opened the session. */
  abstract attach(answer: object): void;

  /** The agent has opened it by itself. */
  begin(): void {
    this.unclaimed = true;
    this.isOpenedFirst = true;
    this.attach({ sessionId: this.id });
  }

  get keepsUpdates(): boolean {
    return this.stream.isKeeping;
  }

  /** Keeps updates no longer for whoever claims it. */
  forgetUpdates(): void {
    const { kept } = this.stream;
    this.stream.forget();
    if (!this.events.isObserved)
      this.link.onUnopened(this.id, kept, "nobody claimed it, and there are too many of them");
  }

  /** The opener has run: updates it did not ask for are kept no longer. */
  settleIn(): void {
    const { kept } = this.stream;
    this.stream.forget();
    // A replayed history comes once: whoever asks for it from now on gets nothing.
    if (kept.length > 0 && !this.events.isObserved && !this.link.hasUpdateHandler) this.#reportUnobserved();
  }

  /** An update has arrived, and may have to wait for its turn to be handled. */
  onArrived(_update: Update): void {}

  /** Handles an update whose turn it is, before its handler runs. */
  abstract receive(update: Update): void;

  /** Whether {@link onHandled} has to run once the handler of this update is done. */
  needsHandled(_update: Update): boolean {
    return false;
  }

  onHandled(_update: Update): void {}

  /** A handler has answered a request of the agent, perhaps with a promise. */
  onAnswer(_method: string, _answer: unknown): void {}

  /** The agent asks for permission, whoever answers it. */
  abstract onPermissionRequest(params: unknown): void;

  /** The agent has agreed to a mode, or to the value of an option. */
  abstract onChosen(method: string, params: unknown, result: unknown): void;

  /** Whether a question with these params is answered as cancelled, without asking anybody (PERM-07). */
  abstract cancelsQuestion(params: unknown): boolean;

  /** Returns whether a refused call may be repeated after a login; called before the call is sent. */
  watchRepeat(_method: string): () => boolean {
    return always;
  }

  /** `session/cancel` was sent. */
  onCancelSent(): void {
    this.cancelTurns();
  }

  /** Marks its turns as cancelled, and answers the questions that are pending for them. */
  abstract cancelTurns(): void;

  /** Ends it; who iterates its updates gets `error`, if there is one. */
  abstract end(reason: unknown, error?: unknown): void;

  /** Aborts when nobody can be asked to log in for a call of this session any more. */
  abortableFor(method: string): Abortable {
    if (method !== this.link.names.prompt) return this.ended;
    this.#promptsCancelled ??= new LazyAbort();
    return this.#promptsCancelled;
  }

  async close(options?: RequestOptions & MetaOptions): Promise<void> {
    // Its id may belong to another session by now.
    if (this.ended.aborted) return;
    // The agent has not opened it, and will not be asked again.
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

  /** Keeps what tells of the session, such as its title, for observers that come later. */
  protected keepLatest(kind: string, update: Update): void {
    this.#latest.set(kind, update);
  }

  protected latest(kind: string): Update | undefined {
    return this.#latest.get(kind);
  }

  /** What an observer gets first: what is kept, and the opening, which comes behind a history. */
  protected pastOf<Event>(opened: () => Event): (CommonEvent<Update> | Event)[] {
    const kept = this.stream.kept.map((update) => createUpdateEvent(update));
    if (!this.isAttached) return kept;
    return this.isOpenedFirst ? [opened(), ...kept] : [...kept, opened()];
  }

  /** What an observer gets that comes after that: the latest of each kind. */
  protected latestUpdates(): CommonEvent<Update>[] {
    if (this.stream.isKeeping) return [];
    return Array.from(this.#latest.values(), (update) => createUpdateEvent(update));
  }

  /** Passes an update to everybody who follows the session or the turn. `isKept`: late observers get it, too. */
  protected show(update: Update, turn: Follower<Update> | undefined, isKept: boolean): void {
    if (this.events.isObserved || this.stream.isObserved || turn?.isObserved === true) {
      this.stream.push(update, this.receivedSize);
      turn?.push(update);
      this.events.emit(createUpdateEvent(update), isKept || this.stream.isKeeping);
    } else if (!this.link.hasUpdateHandler) this.#reportUnobserved();
  }

  protected abortLogins(): void {
    this.#promptsCancelled?.abort(undefined);
    this.#promptsCancelled = undefined;
  }

  protected reportUnopened(): void {
    if ((this.isAttached && !this.unclaimed) || this.events.isObserved) return;
    const why = this.unclaimed ? "nobody claimed it" : "the session could not be opened";
    this.link.onUnopened(this.id, this.stream.kept, why);
  }

  /** The last step of its end. */
  protected finish(reason: unknown, error: unknown): void {
    this.stream.end(error);
    this.events.emit({ type: "closed" }, true);
    this.replaced?.end(reason, error);
  }

  #reportUnobserved(): void {
    if (this.#isReportedUnobserved) return;
    this.#isReportedUnobserved = true;
    this.link.onUnobserved(this.id);
  }
}
