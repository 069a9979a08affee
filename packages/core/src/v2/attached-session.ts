import type { AgentMethods, Received } from "@acp/schema/v2/types";
import { enqueueAfterNotifications } from "../rpc/answer-order.ts";
import type { Lanes } from "../rpc/lanes.ts";
import { type Abortable, LazyAbort } from "../base/abort.ts";
import { AcpError, RequestError, UsageError } from "../base/errors.ts";
import { createSessionPeer, type MetaOptions, pickMeta, type RequestOptions, type SessionPeer } from "../rpc/peer.ts";
import type { ClientSessionLink, KeptSession } from "../session/client/client-sessions.ts";
import { SessionEvents } from "../session/client/session-events.ts";
import { UpdateStream } from "../session/client/update-stream.ts";
import { Cancellables } from "./cancellables.ts";
import type { ClientSession, Prompt, SessionActivity } from "./client-session.ts";
import { isForForeground } from "./foreground-questions.ts";
import type { SessionEvent, SessionObserver } from "./session-event.ts";
import { SessionTurns } from "./session-turns.ts";
import type { PromptOptions, Turn } from "./turn.ts";

type Setup = Pick<Received.NewSessionResponse, "configOptions" | "availableCommands" | "_meta"> & {
  /** Only in the answer that makes a new session. */
  readonly sessionId?: string;
};

/** A client's session from its opening to its end. */
export class AttachedSession implements ClientSession, KeptSession<AttachedSession> {
  readonly id: string;
  cwd = "";
  additionalDirectories: readonly string[] = [];
  state: SessionActivity = "idle";
  background: readonly Received.BackgroundWork[] | undefined;
  configOptions: readonly Received.SessionConfigOption[] | undefined;
  availableCommands: readonly Received.AvailableCommand[] = [];
  meta: ClientSession["meta"] = {};
  replaysHistory = false;
  readonly agent: SessionPeer<AgentMethods>;
  /** The tool calls and terminals that the agent lets its client cancel now. */
  readonly cancellables: Cancellables = new Cancellables();
  parent: AttachedSession | undefined;
  isAttached = false;
  replaced: AttachedSession | undefined;
  ahead: AttachedSession | null | undefined;
  refusal: unknown;
  isEnding = false;
  /** What handlers of its notifications get beside the params. */
  context: object | undefined;
  received = 0;
  readonly #link: ClientSessionLink;
  readonly #lanes: Lanes;
  readonly #stream: UpdateStream<Received.SessionUpdate>;
  readonly #events: SessionEvents<SessionEvent>;
  readonly #turns: SessionTurns;
  readonly #end = new LazyAbort();
  /** Aborts when the prompts that wait for a login now are cancelled. */
  #withdrawal: LazyAbort | undefined;
  #toldUnobserved = false;
  /** What it was opened in place of when an update arrived: what is refused meanwhile may still wait for its handlers. */
  #before: AttachedSession | undefined;
  /** The state that was told last while it was being opened. */
  #opening: Received.SessionUpdate | undefined;

  constructor(id: string, params: unknown, link: ClientSessionLink, lanes: Lanes) {
    this.id = id;
    this.setUp(params);
    this.#link = link;
    this.#lanes = lanes;
    this.#stream = new UpdateStream((size) => {
      // What is kept until the opener has gone on waits for nobody who is slow.
      if (this.#stream.kept.length === 0) link.onBacklog(id, size);
    });
    this.#events = new SessionEvents((error) => link.onObserverFailed(id, error));
    this.#turns = new SessionTurns({
      id,
      calls: link.calls,
      events: this.#events,
      refusal: () => (this.#end.aborted ? this.#endedError("session/prompt") : undefined),
      behindHandlers: (run) => enqueueAfterNotifications(lanes, id, 0, run),
      onBacklog: (size) => link.onBacklog(id, size),
    });
    this.agent = createSessionPeer<AgentMethods>(link.calls, link.methods, this);
    // Until its opener has had the chance to ask for them.
    this.#stream.keep();
  }

  setUp(params: unknown): void {
    const { cwd, additionalDirectories, replayFrom } = params as {
      readonly cwd?: string;
      readonly additionalDirectories?: readonly string[] | null;
      readonly replayFrom?: object | null;
    };
    this.cwd = cwd ?? "";
    this.additionalDirectories = additionalDirectories ?? [];
    this.replaysHistory = replayFrom != null;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The agent without a session: the same for all of a connection. */
  get connection(): object {
    return this.#link.calls;
  }

  get updates(): AsyncIterable<Received.SessionUpdate> {
    return this.#stream;
  }

  attach(setup: Setup): void {
    this.meta = setup._meta ?? {};
    // What the agent has told before it answered, and was not to be told again, holds.
    this.configOptions = setup.configOptions ?? this.configOptions;
    this.availableCommands = setup.availableCommands ?? this.availableCommands;
    this.isAttached = true;
    this.#before = undefined;
    this.#opening = undefined;
    this.#events.tell(this.#opened(), true);
    if (setup.sessionId === undefined) return;
    // Of a new session nobody has heard before: what has come for it waits to be handled.
    const { items = [], head = 0 } = this.#lanes.at(this.id) ?? {};
    for (const { notification } of items.slice(head)) {
      if (notification?.method === "session/update") this.arrived(updateIn(notification.params));
    }
  }

  settleIn(): void {
    const { kept } = this.#stream;
    this.#stream.forget();
    // A history that was replayed comes once: whoever asks for it from now on gets nothing.
    if (kept.length > 0 && !this.#events.isObserved && !this.#link.hasUpdateHandler) this.#unobserved();
  }

  readonly observe = (observer: SessionObserver): (() => void) => {
    const past: SessionEvent[] = this.#stream.kept.map((update) => ({ type: "update", update }));
    if (this.isAttached) past.push(this.#opened());
    past.push(...this.#turns.past());
    if (this.isCancelling) past.push({ type: "cancelled" });
    if (this.#end.aborted) past.push({ type: "closed" });
    return this.#events.observe(observer, past);
  };

  prompt(prompt: Prompt, options?: PromptOptions): Turn {
    return this.#turns.start(prompt, options ?? {});
  }

  async setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Received.SessionConfigOption[]> {
    if (this.#end.aborted) throw this.#endedError("session/set_config_option");
    const typed =
      typeof value === "boolean"
        ? ({ configId, type: "boolean", value } as const)
        : ({ configId, type: "id", value } as const);
    const params = { ...typed, ...pickMeta(options) };
    const { configOptions } = await this.agent.request("session/set_config_option", params, options);
    return configOptions;
  }

  async close(options?: RequestOptions & MetaOptions): Promise<void> {
    // Its id may belong to another session by now.
    if (this.#end.aborted) return;
    // The agent has not opened it, and will not be asked again.
    if (this.refusal !== undefined) return this.end(this.refusal);
    try {
      await this.agent.request("session/close", { ...pickMeta(options) }, options);
    } catch (error) {
      // Another call has closed it meanwhile.
      if (!this.#end.aborted || !(error instanceof RequestError)) throw error;
    }
  }

  /** An update has arrived, and may have to wait for its turn to be handled. */
  arrived(update: Received.SessionUpdate): void {
    this.#turns.arrived(update);
    // What it is opened in place of may be opened no more, and go on with its turns.
    this.#before = this.replaced;
    this.replaced?.arrived(update);
  }

  /** It is the turn of an update to be handled. */
  receive(update: Received.SessionUpdate): void {
    const turn = this.#turns.oldest;
    // What waited for a handler until the session was opened again is its turn's, and nobody else's.
    if (this.#end.aborted) return turn?.push(update);
    if (this.#goesOnBefore) this.#before?.receive(update);
    this.#take(update);
    this.received++;
    if (this.#events.isObserved || this.#stream.isObserved || turn?.isObserved === true) {
      this.#stream.push(update);
      turn?.push(update);
      this.#events.tell({ type: "update", update }, this.#stream.isKeeping);
    } else if (!this.#link.hasUpdateHandler) this.#unobserved();
  }

  #take(update: Received.SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "state_update":
        this.state = update.state;
        this.background = backgroundIn(update);
        if (!this.isAttached) this.#opening = update;
        break;
      case "config_option_update":
        this.configOptions = update.configOptions;
        break;
      case "available_commands_update":
        this.availableCommands = update.availableCommands;
        break;
      case "tool_call_update":
      case "terminal_update":
        this.cancellables.see(update);
    }
  }

  /** What it is opened in place of hears all that comes meanwhile, unless that is a history, which it has. */
  get #goesOnBefore(): boolean {
    return this.#before !== undefined && !this.replaysHistory;
  }

  /** The handler of an update is done. */
  handled(update: Received.SessionUpdate): void {
    this.#turns.handled(update);
    this.#before?.handled(update);
  }

  /** The agent has agreed to the value of an option, and told what all options are then. */
  chosen({ configOptions }: Received.SetSessionConfigOptionResponse): void {
    this.configOptions = configOptions;
    this.#events.tell({ type: "config_options_set", configOptions }, false);
  }

  /** The agent asks for permission, whoever answers it. */
  asked({ subject }: Received.RequestPermissionRequest): void {
    if (subject?.type !== "tool_call") return;
    this.#events.tell({ type: "permission_requested", toolCall: subject.toolCall }, false);
  }

  /** Whether nobody is asked any more what the agent asks with these params. */
  isGivenUp(params: unknown): boolean {
    return this.isEnding || (this.isCancelling && isForForeground(params, this.background));
  }

  get isCancelling(): boolean {
    return this.#turns.isCancelling;
  }

  /** The agent has told its state, which may wait for a handler. */
  get hasState(): boolean {
    return this.#turns.hasState;
  }

  /** `session/cancel` was sent. */
  cancelSent(): void {
    this.markCancelled();
    this.#events.tell({ type: "cancelled" }, this.isCancelling);
    // It may go on with its turns, since this one cannot be opened.
    this.replaced?.cancelSent();
  }

  /** `session/cancel` was sent, or what ends the session: nobody is asked any more for what that ends for certain. */
  markCancelled(): void {
    this.#turns.markCancelled();
    this.#link.withdrawQuestions(this.id, (params) => this.isGivenUp(params) || this.#end.aborted);
    this.#withdrawal?.abort(undefined);
    this.#withdrawal = undefined;
  }

  withdrawalOf(method: string): Abortable {
    if (method !== "session/prompt") return this.#end;
    this.#withdrawal ??= new LazyAbort();
    return this.#withdrawal;
  }

  end(reason: unknown, error?: unknown): void {
    if (this.#end.aborted) return;
    this.#end.abort(reason);
    if (!this.#goesOnBefore) {
      // It could not be opened, and what goes on in its place has this state by now.
      if (this.#opening !== undefined) this.#before?.receive(this.#opening);
      if (!this.isAttached && !this.#events.isObserved) this.#link.onUnopened(this.id, this.#stream.kept);
    }
    // Opened again it goes on, with its questions, as another one: it may never have stopped.
    const isOver = this.isEnding || (!this.isAttached && !(reason instanceof AcpError));
    if (isOver) {
      this.markCancelled();
      this.#turns.sessionClosed();
    } else this.#turns.sessionLost(this.#end.reason);
    this.#stream.end(error);
    this.#events.tell({ type: "closed" }, true);
    this.replaced?.end(reason, error);
  }

  /** Why it takes no call any more: its connection has ended, or somebody has ended it. */
  #endedError(method: string): Error {
    const { reason } = this.#end;
    if (reason instanceof AcpError) return reason;
    return new UsageError(`${method}: the session has ended; open it again`, { cause: reason });
  }

  #opened(): SessionEvent {
    return { type: "opened", configOptions: this.configOptions ?? [], commands: this.availableCommands };
  }

  #unobserved(): void {
    if (this.#toldUnobserved) return;
    this.#toldUnobserved = true;
    this.#link.onUnobserved(this.id);
  }
}

/** The update in the params of a `session/update`, which were decoded. */
export function updateIn(params: unknown): Received.SessionUpdate {
  return (params as Received.UpdateSessionNotification).update;
}

/** What a state says of background work; nothing, if the state is not known. */
function backgroundIn(update: object): AttachedSession["background"] {
  return (update as Received.RunningStateUpdate).background ?? undefined;
}
