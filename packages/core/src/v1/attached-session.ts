import type { AgentMethods, Received } from "@acp/schema/v1/types";
import { type Abortable, LazyAbort } from "../base/abort.ts";
import { AcpError, RequestError, UsageError } from "../base/errors.ts";
import { createSessionPeer, type MetaOptions, pickMeta, type RequestOptions, type SessionPeer } from "../rpc/peer.ts";
import { checkLimit } from "../base/timers.ts";
import type { ClientSession, Prompt } from "./client-session.ts";
import type { ClientSessionLink, KeptSession } from "../session/client/client-sessions.ts";
import { ClientTurn, type ClientTurnLink, type PromptOptions, type Turn } from "./client-turn.ts";
import { checkBlocks } from "../session/client/prompt-blocks.ts";
import type { SessionEvent, SessionObserver } from "./session-event.ts";
import { SessionEvents } from "../session/client/session-events.ts";
import { UpdateStream } from "../session/client/update-stream.ts";

const noTurns: readonly ClientTurn[] = [];

type Setup = {
  readonly modes?: Received.SessionModeState | null;
  readonly configOptions?: readonly Received.SessionConfigOption[] | null;
  readonly _meta?: ClientSession["meta"] | null;
};

/** A client's session from its opening to its end. */
export class AttachedSession implements ClientSession, KeptSession<AttachedSession> {
  readonly id: string;
  cwd = "";
  additionalDirectories: readonly string[] = [];
  parent: AttachedSession | undefined;
  readonly agent: SessionPeer<AgentMethods>;
  meta: ClientSession["meta"] = {};
  modes: Received.SessionModeState | undefined;
  configOptions: readonly Received.SessionConfigOption[] | undefined;
  replaysHistory = false;
  /** The request that opens it was answered. */
  isAttached = false;
  /** What it is opened in place of, and ends with, until it has been opened. */
  replaced: AttachedSession | undefined;
  /** Whom notifications are for that have waited for a handler since before it began to open: `null` where that is over. */
  ahead: AttachedSession | null | undefined;
  /** Why the agent has not opened it so far, while somebody logs in for it. */
  refusal: unknown;
  /** A request that ends it is under way. */
  isEnding = false;
  /** What handlers of its notifications get beside the params. */
  context: object | undefined;
  /** How many updates have arrived that tell of a turn, and not of the session. */
  received = 0;
  /** How many of them had when a turn was answered last. */
  receivedBefore = 0;
  readonly #link: ClientSessionLink;
  readonly #stream: UpdateStream<Received.SessionUpdate>;
  readonly #events: SessionEvents<SessionEvent>;
  readonly #turnLink: ClientTurnLink;
  /** Those without an answer, the oldest first. */
  #turns: readonly ClientTurn[] = noTurns;
  #turnCount = 0;
  readonly #end = new LazyAbort();
  /** Aborts when the turns that run now are cancelled. */
  #withdrawal: LazyAbort | undefined;
  #toldUnobserved = false;
  /** Another session has had what came while it was opened. */
  #hasPassed = false;

  constructor(id: string, params: unknown, link: ClientSessionLink) {
    this.id = id;
    this.setUp(params);
    this.#link = link;
    this.#stream = new UpdateStream((size) => {
      // What is kept until the opener has gone on waits for nobody who is slow.
      if (this.#stream.kept.length === 0) link.onBacklog(id, size);
    });
    this.#events = new SessionEvents((error) => link.onObserverFailed(id, error));
    this.#turnLink = this.#createTurnLink();
    this.agent = createSessionPeer<AgentMethods>(link.calls, link.methods, this);
    // Until its opener has had the chance to ask for them.
    this.#stream.keep();
  }

  /** Takes the params it is opened with. */
  setUp(params: unknown): void {
    const { cwd, additionalDirectories } = params as {
      readonly cwd?: string;
      readonly additionalDirectories?: readonly string[] | null;
    };
    this.cwd = cwd ?? "";
    this.additionalDirectories = additionalDirectories ?? [];
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

  /** Takes the answer that opened the session. */
  attach(setup: Setup): void {
    this.meta = setup._meta ?? {};
    this.modes = setup.modes ?? undefined;
    // What the agent has told while it was loaded, and does not tell again, holds.
    this.configOptions = setup.configOptions ?? this.configOptions;
    this.isAttached = true;
    this.#events.tell(this.#opened(), true);
  }

  /** The opener has run: updates it did not ask for are kept no longer. */
  settleIn(): void {
    const { kept } = this.#stream;
    this.#stream.forget();
    // A history that was loaded comes once: whoever asks for it from now on gets nothing.
    if (kept.length > 0 && !this.#events.isObserved && !this.#link.hasUpdateHandler) this.#unobserved();
  }

  readonly observe = (observer: SessionObserver): (() => void) => {
    const past: SessionEvent[] = this.#stream.kept.map((update) => ({ type: "update", update }));
    if (this.isAttached) past.push(this.#opened());
    for (const { start, cancelled } of this.#turns) {
      past.push(start);
      if (cancelled) past.push({ type: "turn_cancelled", turn: start.turn });
    }
    if (this.#end.aborted) past.push({ type: "closed" });
    return this.#events.observe(observer, past);
  };

  prompt(prompt: Prompt, promptOptions?: PromptOptions): Turn {
    const options = promptOptions ?? {};
    const given: unknown = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    // Before anybody is told of a turn that cannot be shown.
    checkBlocks(given);
    if (options.cancelGrace != null) checkLimit("cancelGrace", options.cancelGrace);
    const blocks = [...given];
    const start = { type: "turn_started", turn: ++this.#turnCount, prompt: blocks } as const;
    const params = { sessionId: this.id, prompt: blocks, ...pickMeta(options) };
    // A prompt that was cancelled before it could be sent is no turn.
    if (options.signal?.aborted === true) return new ClientTurn(this.#turnLink, start, params, options);
    this.#events.tell(start, false);
    const turn = new ClientTurn(this.#turnLink, start, params, options);
    this.#turns = this.#turns.length === 0 ? [turn] : [...this.#turns, turn];
    return turn;
  }

  #createTurnLink(): ClientTurnLink {
    const { calls, onBacklog } = this.#link;
    return {
      prompt: (params, call) =>
        this.#end.aborted
          ? Promise.reject(this.#endedError("session/prompt"))
          : // The answer was read by the decoder of its method.
            (calls.request("session/prompt", params, call) as Promise<never>),
      cancel: (more) => {
        calls.notify("session/cancel", { sessionId: this.id, ...pickMeta(more) }).catch(() => {});
      },
      cancelled: ({ start }) => this.#events.tell({ type: "turn_cancelled", turn: start.turn }, true),
      ended: (turn, end) => {
        this.receivedBefore = this.received;
        this.#turns = this.#turns.length === 1 ? noTurns : this.#turns.filter((running) => running !== turn);
        if (this.#events.isObserved) this.#events.tell({ ...end, turn: turn.start.turn }, false);
      },
      onBacklog: (size) => onBacklog(this.id, size),
    };
  }

  async setMode(modeId: string, options?: RequestOptions & MetaOptions): Promise<void> {
    if (this.#end.aborted) throw this.#endedError("session/set_mode");
    await this.agent.request("session/set_mode", { modeId, ...pickMeta(options) }, options);
  }

  async setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Received.SessionConfigOption[]> {
    if (this.#end.aborted) throw this.#endedError("session/set_config_option");
    const typed = typeof value === "boolean" ? ({ configId, type: "boolean", value } as const) : { configId, value };
    const params = { ...typed, ...pickMeta(options) };
    const { configOptions } = await this.agent.request("session/set_config_option", params, options);
    return configOptions;
  }

  /** The agent has agreed to a mode, or to the value of an option, and told what all options are then. */
  chosen(method: "session/set_mode" | "session/set_config_option", params: unknown, result: unknown): void {
    if (method === "session/set_mode") {
      const { modeId } = params as AgentMethods["session/set_mode"]["params"];
      if (this.modes !== undefined) this.modes = { ...this.modes, currentModeId: modeId };
      this.#events.tell({ type: "mode_set", modeId }, false);
    } else {
      const { configOptions } = result as Received.SetSessionConfigOptionResponse;
      this.configOptions = configOptions;
      this.#events.tell({ type: "config_options_set", configOptions }, false);
    }
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

  /** An update of this session has arrived and it is its turn. */
  receive(update: Received.SessionUpdate): void {
    const { sessionUpdate } = update;
    const turn = this.#turn;
    // What waited for a handler until the session was opened again is its turn's, and nobody else's.
    if (this.#end.aborted) return turn?.push(update);
    this.#pass(update);
    if (sessionUpdate === "current_mode_update") {
      if (this.modes !== undefined) this.modes = { ...this.modes, currentModeId: update.currentModeId };
    } else if (sessionUpdate === "config_option_update") {
      this.configOptions = update.configOptions;
    } else if (sessionUpdate !== "available_commands_update" && sessionUpdate !== "session_info_update") {
      this.received++;
    }
    if (this.#events.isObserved || this.#stream.isObserved || turn?.isObserved === true) {
      this.#stream.push(update);
      turn?.push(update);
      this.#events.tell({ type: "update", update }, this.#stream.isKeeping);
    } else if (!this.#link.hasUpdateHandler) this.#unobserved();
  }

  /** What it is opened in place of has its turns still, and goes on if this cannot be opened. A history it has. */
  #pass(update: Received.SessionUpdate): void {
    if (this.replaced === undefined || this.replaysHistory) return;
    this.#hasPassed = true;
    this.replaced.receive(update);
  }

  /** The agent asks for permission, whoever answers it. */
  asked({ toolCall }: Received.RequestPermissionRequest): void {
    this.#events.tell({ type: "permission_requested", toolCall }, false);
  }

  /** Whether a permission request must be answered `cancelled` without asking anyone (PERM-07). */
  get isCancelling(): boolean {
    return this.isEnding || this.#turn?.cancelled === true;
  }

  /** `session/cancel` was sent, or what ends the session: nobody is asked any more for what runs in it. */
  markCancelled(): void {
    for (const turn of this.#turns) turn.markCancelled();
    this.#link.withdrawQuestions(this.id);
    this.#withdrawal?.abort(undefined);
    this.#withdrawal = undefined;
  }

  /** Aborts when nobody can be asked any more for a call of this session. */
  withdrawalOf(method: string): Abortable {
    if (method !== "session/prompt") return this.#end;
    this.#withdrawal ??= new LazyAbort();
    return this.#withdrawal;
  }

  /** Ends it; who iterates its updates gets `error`, if there is one. */
  end(reason: unknown, error?: unknown): void {
    if (this.#end.aborted) return;
    // What a lost connection ends fails by itself.
    if (!(reason instanceof AcpError)) this.markCancelled();
    this.#end.abort(reason);
    if (!this.isAttached && !this.#hasPassed && !this.#events.isObserved)
      this.#link.onUnopened(this.id, this.#stream.kept);
    this.#stream.end(error);
    this.#events.tell({ type: "closed" }, true);
    this.replaced?.end(reason, error);
  }

  /** The one that updates belong to. */
  get #turn(): ClientTurn | undefined {
    return this.#turns[0];
  }

  /** Why it takes no call any more: its connection has ended, or somebody has ended it. */
  #endedError(method: string): Error {
    const { reason } = this.#end;
    if (reason instanceof AcpError) return reason;
    return new UsageError(`${method}: the session has ended; open it again`, { cause: reason });
  }

  #opened(): SessionEvent {
    return { type: "opened", modes: this.modes, configOptions: this.configOptions };
  }

  #unobserved(): void {
    if (this.#toldUnobserved) return;
    this.#toldUnobserved = true;
    this.#link.onUnobserved(this.id);
  }
}
