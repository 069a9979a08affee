import type { AgentMethods, Received } from "@acp/schema/v2/types";
import { AcpError } from "../base/errors.ts";
import { enqueueAfterNotifications } from "../rpc/answer-order.ts";
import { type MetaOptions, pickMeta, type RequestOptions } from "../rpc/peer.ts";
import { ClientSession, type CommonEvent, type Follower } from "../session/client/client-session.ts";
import type { ClientSessionLink } from "../session/client/client-session-link.ts";
import { Cancellables } from "./foreground/cancellables.ts";
import type { ClientSession as PublicSession, Prompt, SessionActivity } from "./client-session.ts";
import { isForForeground } from "./foreground/foreground-questions.ts";
import type { SessionEvent, SessionObserver } from "./session-event.ts";
import { SessionTurns } from "./foreground/session-turns.ts";
import type { TurnV2 } from "./turn-v2.ts";
import type { PromptOptions } from "./turn.ts";

type OwnEvent = Exclude<SessionEvent, { readonly type: CommonEvent<unknown>["type"] }>;

type Setup = Pick<Received.NewSessionResponse, "configOptions" | "availableCommands" | "_meta"> & {
  /** Only in the answer that makes a new session. */
  readonly sessionId?: string;
};

/** A client's session of version 2. */
export class ClientSessionV2
  extends ClientSession<AgentMethods, Received.SessionUpdate, OwnEvent>
  implements PublicSession
{
  state: SessionActivity = "idle";
  /** The agent has sent its state, which may wait for a handler. */
  hasState = false;
  background: readonly Received.BackgroundWork[] | undefined;
  configOptions: readonly Received.SessionConfigOption[] | undefined;
  availableCommands: readonly Received.AvailableCommand[] = [];
  /** The tool calls and terminals that the agent lets its client cancel now. */
  readonly cancellables: Cancellables = new Cancellables();
  readonly #turns: SessionTurns;
  /** The session that this one replaced when an update arrived: it may continue, and the update may wait for its handler. */
  #before: ClientSessionV2 | undefined;
  /** The last state that was received while the session was opened. */
  #openingState: Received.SessionUpdate | undefined;

  constructor(id: string, params: unknown, link: ClientSessionLink) {
    super(id, params, link);
    this.#turns = new SessionTurns({
      session: this,
      onIdle: () => this.forgetWork(),
      id,
      calls: link.calls,
      events: this.events,
      showStart: (start, show) => this.showStart(start, show),
      isShown: (start) => this.isShown(start),
      showNow: (start) => this.showNow(start),
      refusal: () => (this.ended.aborted ? this.endedError("session/prompt") : undefined),
      runBehindHandlers: (run) => enqueueAfterNotifications(link.lanes, id, 0, run),
    });
  }

  attach(setup: Setup): void {
    this.meta = setup._meta ?? {};
    // Values that the agent sent before its answer stay, unless the answer repeats them.
    this.configOptions = setup.configOptions ?? this.configOptions;
    this.availableCommands = setup.availableCommands ?? this.availableCommands;
    this.#before = undefined;
    this.#openingState = undefined;
    this.events.emit(this.#opened(), true);
    if (setup.sessionId === undefined) return;
    // The updates of a new session that arrived earlier still wait for handlers: the session was unknown then.
    for (const { update } of this.waiting) this.onArrived(update);
  }

  readonly observe = (observer: SessionObserver): (() => void) => {
    const past: SessionEvent[] = this.pastEvents(() => this.#opened());
    past.push(...this.#turns.past());
    if (this.#turns.isCancelling) past.push({ type: "cancelled" });
    if (this.ended.aborted) past.push({ type: "closed" });
    return this.events.observe(observer, past);
  };

  prompt(prompt: Prompt, options?: PromptOptions): TurnV2 {
    return this.#turns.start(prompt, options ?? {});
  }

  async setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Received.SessionConfigOption[]> {
    if (this.ended.aborted) throw this.endedError("session/set_config_option");
    const typed =
      typeof value === "boolean"
        ? ({ configId, type: "boolean", value } as const)
        : ({ configId, type: "id", value } as const);
    const params = { ...typed, ...pickMeta(options) };
    const { configOptions } = await this.agent.request("session/set_config_option", params, options);
    return configOptions;
  }

  onChosen(_method: string, _params: unknown, { configOptions }: Received.SetSessionConfigOptionResponse): void {
    this.configOptions = configOptions;
    this.events.emit({ type: "config_options_set", configOptions }, false);
  }

  override onArrived(update: Received.SessionUpdate): Follower<Received.SessionUpdate> | undefined {
    // Also of the update that ends the turn.
    const turn = this.turnNow;
    this.hasState ||= update.sessionUpdate === "state_update";
    this.#turns.onArrived(update);
    // The session that this one replaces continues with its turns if this one cannot be opened.
    this.#before = this.replaced;
    this.replaced?.onQueued(update);
    return turn;
  }

  protected get follower(): TurnV2 | undefined {
    return this.#turns.oldest;
  }

  protected get turnNow(): TurnV2 | undefined {
    return this.#turns.takingUpdates;
  }

  receive(update: Received.SessionUpdate, turn: Follower<Received.SessionUpdate> | undefined): void {
    if (this.ended.aborted) return;
    if (this.#goesOnBefore) this.#before?.receive(update, this.#before.turnOf(update));
    const isKept = this.#take(update);
    this.turnUpdateCount++;
    this.show(update, turn, isKept);
  }

  /** Returns whether it was kept for observers that come later. */
  #take(update: Received.SessionUpdate): boolean {
    switch (update.sessionUpdate) {
      case "state_update":
        this.state = update.state;
        this.background = readBackground(update);
        if (!this.isAttached) this.#openingState = update;
        this.keepLatest(update.sessionUpdate, update);
        return true;
      case "session_info_update": {
        // Members that an update omits have not changed, those of custom data too.
        const before = this.latest(update.sessionUpdate) as typeof update | undefined;
        const _meta = update._meta && { ...before?._meta, ...update._meta };
        this.keepLatest(update.sessionUpdate, { ...before, ...update, ...(_meta && { _meta }) });
        return true;
      }
      case "usage_update": {
        const { _meta: _, ...before } = { ...this.latest(update.sessionUpdate) } as Partial<typeof update>;
        this.keepLatest(update.sessionUpdate, { ...before, ...update });
        return true;
      }
      case "config_option_update":
        this.configOptions = update.configOptions;
        break;
      case "available_commands_update":
        this.availableCommands = update.availableCommands;
        break;
      case "tool_call_update":
      case "terminal_update":
        this.cancellables.receive(update);
        this.#takeWork(update);
        break;
    }
    return false;
  }

  /** Background work that the agent lists continues by itself: no turn waits for it. */
  override get hasWork(): boolean {
    for (const work of this.background ?? []) {
      if (work.type === "tool_call") this.setWork(`call ${work.toolCallId}`, false);
      if (work.type === "terminal") this.setWork(`terminal ${work.terminalId}`, false);
    }
    return super.hasWork;
  }

  #takeWork(update: Extract<Received.SessionUpdate, { sessionUpdate: "tool_call_update" | "terminal_update" }>): void {
    if (update.sessionUpdate === "terminal_update") {
      this.setWork(`terminal ${update.terminalId}`, update.exitStatus == null);
    } else if (update.status !== undefined) {
      this.setWork(`call ${update.toolCallId}`, update.status === "pending" || update.status === "in_progress");
    }
  }

  /** The session that this one replaces receives all that arrives meanwhile, unless that is a history, which it has. */
  get #goesOnBefore(): boolean {
    return this.#before !== undefined && !this.replaysHistory;
  }

  override needsHandled(update: Received.SessionUpdate): boolean {
    return update.sessionUpdate === "state_update";
  }

  override onHandled(update: Received.SessionUpdate): void {
    this.#turns.onHandled(update);
    this.#before?.onHandled(update);
  }

  onPermissionRequest({ subject }: Received.RequestPermissionRequest): void {
    if (subject?.type !== "tool_call") return;
    this.showNow(this.turnNow?.start);
    this.events.emit({ type: "permission_requested", toolCall: subject.toolCall }, false);
  }

  cancelsQuestion(params: unknown): boolean {
    return this.isEnding || (this.#turns.isCancelling && isForForeground(params, this.background));
  }

  override onCancelSent(): void {
    this.cancelTurns();
    this.#turns.showAll();
    this.events.emit({ type: "cancelled" }, this.#turns.isCancelling);
    // It continues with its turns if this one cannot be opened.
    this.replaced?.onCancelSent();
  }

  /** Also counts updates of an earlier turn: the client cannot tell which of the two works. */
  override watchWork(): () => boolean {
    const count = (): number => this.turnUpdateCount + this.waiting.length;
    const before = count();
    return () => count() <= before;
  }

  cancelTurns(): void {
    this.#turns.markCancelled();
    this.link.scope.rules.cancelled(this.id, (params) => this.cancelsQuestion(params) || this.ended.aborted);
    this.abortLogins();
  }

  end(reason: unknown, error?: unknown): void {
    if (this.ended.aborted) return;
    this.deliverWaiting();
    this.ended.abort(reason);
    if (!this.#goesOnBefore) {
      // It could not be opened, and the session that continues in its place has this state by now.
      const state = this.#openingState;
      if (state !== undefined) this.#before?.receive(state, this.#before.turnOf(state));
      this.reportUnopened();
    }
    // Opened again, the session continues as another one, with its questions: it may never have stopped.
    const isOver = this.isEnding || (!this.isAttached && !(reason instanceof AcpError));
    if (isOver) {
      this.cancelTurns();
      this.#turns.onSessionClosed();
    } else this.#turns.onSessionLost(this.ended.reason);
    this.finish(reason, error);
  }

  #opened(): SessionEvent & { readonly type: "opened" } {
    return { type: "opened", configOptions: this.configOptions ?? [], commands: this.availableCommands };
  }
}

/** The background work in a state; empty if the state is unknown. */
function readBackground(update: object): ClientSessionV2["background"] {
  return (update as Received.RunningStateUpdate).background ?? undefined;
}
