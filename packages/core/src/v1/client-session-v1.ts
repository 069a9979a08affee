import type { AgentMethods, ContentBlock, Received } from "@acp/schema/v1/types";
import { AcpError } from "../base/errors.ts";
import { checkLimit } from "../base/timers.ts";
import { type MetaOptions, pickMeta, type RequestOptions } from "../rpc/peer.ts";
import { ClientSession, type CommonEvent, type Follower } from "../session/client/client-session.ts";
import type { ClientSessionLink } from "../session/client/client-session-link.ts";
import { stallLimits } from "../session/client/stall-watch.ts";
import { checkBlocks } from "../session/client/prompt-blocks.ts";
import { turnThatTakes } from "../session/client/turn.ts";
import type { ClientSession as PublicSession, Prompt } from "./client-session.ts";
import type { SessionEvent, SessionObserver } from "./session-event.ts";
import { type TurnLink, TurnV1 } from "./turn-v1.ts";
import type { PromptOptions } from "./turn.ts";

type OwnEvent = Exclude<SessionEvent, { readonly type: CommonEvent<unknown>["type"] }>;

type ReportedCall = Extract<Received.SessionUpdate, { readonly sessionUpdate: "tool_call" | "tool_call_update" }>;

interface Setup {
  readonly modes?: Received.SessionModeState | null;
  readonly configOptions?: readonly Received.SessionConfigOption[] | null;
  readonly _meta?: PublicSession["meta"] | null;
}

/** Updates about the session itself, whatever the agent works on. */
const aboutSession: ReadonlySet<string> = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
]);

function isOfTurns({ sessionUpdate }: Received.SessionUpdate): boolean {
  return !aboutSession.has(sessionUpdate);
}

/** A client's session of version 1. */
export class ClientSessionV1
  extends ClientSession<AgentMethods, Received.SessionUpdate, OwnEvent>
  implements PublicSession
{
  modes: Received.SessionModeState | undefined;
  configOptions: readonly Received.SessionConfigOption[] | undefined;
  readonly #turnLink: TurnLink;
  /** Those without an answer, the oldest first. */
  #turns: readonly TurnV1[] = [];
  #turnCount = 0;
  /** The {@link turnUpdateCount} when the last turn ended. */
  #turnUpdateCountBefore = 0;
  /** The session that this one replaces has received an update that arrived while this one was opened. */
  #hasPassedOn = false;

  constructor(id: string, params: unknown, link: ClientSessionLink) {
    super(id, params, link);
    this.#turnLink = this.#createTurnLink();
  }

  attach(setup: Setup): void {
    this.meta = setup._meta ?? {};
    this.modes = setup.modes ?? undefined;
    // Values that the agent sent while the session was loading stay, unless the answer repeats them.
    this.configOptions = setup.configOptions ?? this.configOptions;
    this.events.emit(this.#opened(), true);
  }

  readonly observe = (observer: SessionObserver): (() => void) => {
    const past: SessionEvent[] = this.pastEvents(() => this.#opened());
    for (const { start, isCancelled } of this.#turns) {
      if (!this.isShown(start)) continue;
      past.push(start);
      if (isCancelled) past.push({ type: "turn_cancelled", turn: start.turn });
    }
    if (this.ended.aborted) past.push({ type: "closed" });
    return this.events.observe(observer, past);
  };

  prompt(prompt: Prompt, promptOptions?: PromptOptions): TurnV1 {
    const options = promptOptions ?? {};
    const given: readonly ContentBlock[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    // Before observers learn of a turn that cannot be shown.
    checkBlocks("session/prompt", given);
    if (options.cancelGrace != null) checkLimit("cancelGrace", options.cancelGrace);
    stallLimits(options.stall, this.stall);
    const blocks = [...given];
    const start = { type: "turn_started", turn: ++this.#turnCount, prompt: blocks } as const;
    const params = { sessionId: this.id, prompt: blocks, ...pickMeta(options) };
    // A prompt that was cancelled before it could be sent does not make a turn.
    if (options.signal?.aborted === true) return new TurnV1(this.#turnLink, start, params, options);
    this.showStart(start, () => this.events.emit(start, false));
    const turn = new TurnV1(this.#turnLink, start, params, options);
    this.#turns = [...this.#turns, turn];
    return turn;
  }

  #createTurnLink(): TurnLink {
    const { calls, isIntercepted } = this.link;
    return {
      session: this,
      isIntercepted,
      prompt: (params, call) =>
        this.ended.aborted
          ? Promise.reject(this.endedError("session/prompt"))
          : // The answer was read by the decoder of its method.
            (calls.request("session/prompt", params, call) as Promise<never>),
      cancel: (options) => {
        calls.notify("session/cancel", { sessionId: this.id, ...pickMeta(options) }).catch(() => {});
      },
      onCancelled: ({ start }) => {
        this.showNow(start);
        this.events.emit({ type: "turn_cancelled", turn: start.turn }, true);
      },
      onEnd: (turn, outcome) => {
        this.#turnUpdateCountBefore = this.turnUpdateCount;
        this.link.scope.rules.turnEnded(this);
        this.#turns = this.#turns.filter((running) => running !== turn);
        if (this.#turns.length === 0) this.forgetWork();
        this.showNow(turn.start);
        if (this.events.isObserved) this.events.emit({ ...outcome, turn: turn.start.turn }, false);
      },
    };
  }

  async setMode(modeId: string, options?: RequestOptions & MetaOptions): Promise<void> {
    if (this.ended.aborted) throw this.endedError("session/set_mode");
    await this.agent.request("session/set_mode", { modeId, ...pickMeta(options) }, options);
  }

  async setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Received.SessionConfigOption[]> {
    if (this.ended.aborted) throw this.endedError("session/set_config_option");
    const typed = typeof value === "boolean" ? ({ configId, type: "boolean", value } as const) : { configId, value };
    const params = { ...typed, ...pickMeta(options) };
    const { configOptions } = await this.agent.request("session/set_config_option", params, options);
    return configOptions;
  }

  onChosen(method: string, params: unknown, result: unknown): void {
    if (method === "session/set_mode") {
      const { modeId } = params as AgentMethods["session/set_mode"]["params"];
      this.#setMode(modeId);
      this.events.emit({ type: "mode_set", modeId }, false);
    } else {
      const { configOptions } = result as Received.SetSessionConfigOptionResponse;
      this.configOptions = configOptions;
      this.events.emit({ type: "config_options_set", configOptions }, false);
    }
  }

  protected get follower(): TurnV1 | undefined {
    return this.#turns[0];
  }

  protected get turnNow(): TurnV1 | undefined {
    return turnThatTakes(this.#turns);
  }

  receive(update: Received.SessionUpdate, turn: Follower<Received.SessionUpdate> | undefined): void {
    if (this.ended.aborted) return;
    this.#passOn(update);
    if (isOfTurns(update)) this.turnUpdateCount++;
    /** For later observers. */
    let kept: Received.SessionUpdate | undefined;
    switch (update.sessionUpdate) {
      case "current_mode_update":
        this.#setMode(update.currentModeId);
        break;
      case "config_option_update":
        this.configOptions = update.configOptions;
        break;
      case "tool_call":
      case "tool_call_update":
        this.#takeCall(update);
        this.link.scope.rules.toolCall(this, update);
        break;
      case "available_commands_update":
      case "usage_update":
        kept = update;
        break;
      case "session_info_update":
        // Members that an update omits have not changed.
        kept = { ...this.latest(update.sessionUpdate), ...update };
        break;
    }
    if (kept !== undefined) this.keepLatest(update.sessionUpdate, kept);
    this.show(update, turn, kept !== undefined);
  }

  /** A new call without a status is pending. */
  #takeCall({ sessionUpdate, toolCallId, status }: ReportedCall): void {
    const now = status ?? (sessionUpdate === "tool_call" ? "pending" : undefined);
    if (now !== undefined) this.setWork(toolCallId, now === "pending" || now === "in_progress");
  }

  #setMode(currentModeId: string): void {
    if (this.modes !== undefined) this.modes = { ...this.modes, currentModeId };
  }

  /** Also delivers an update to the session that this one replaces, which continues if this one cannot be opened. It has any history. */
  #passOn(update: Received.SessionUpdate): void {
    if (this.replaced === undefined || this.replaysHistory) return;
    this.#hasPassedOn = true;
    this.replaced.receive(update, this.replaced.turnOf(update));
  }

  onPermissionRequest({ toolCall }: Received.RequestPermissionRequest): void {
    this.showNow(this.turnNow?.start);
    this.events.emit({ type: "permission_requested", toolCall }, false);
  }

  cancelsQuestion(): boolean {
    return this.isEnding || this.#turns[0]?.isCancelled === true;
  }

  /** A turn that had started is not repeated. */
  override watchRepeat(method: string): () => boolean {
    // Waiting updates arrived before the prompt was sent.
    const before = this.turnUpdateCount + this.waiting.filter(({ update }) => isOfTurns(update)).length;
    return () =>
      method !== "session/prompt" ||
      this.turnUpdateCount <= before ||
      this.turnUpdateCount === this.#turnUpdateCountBefore;
  }

  cancelTurns(): void {
    for (const turn of this.#turns) turn.markCancelled();
    this.link.scope.rules.cancelled(this.id);
    this.abortLogins();
  }

  end(reason: unknown, error?: unknown): void {
    if (this.ended.aborted) return;
    this.deliverWaiting();
    // A lost connection fails its turns by itself.
    if (!(reason instanceof AcpError)) this.cancelTurns();
    this.ended.abort(reason);
    if (!this.#hasPassedOn) this.reportUnopened();
    this.finish(reason, error);
  }

  #opened(): SessionEvent & { readonly type: "opened" } {
    return { type: "opened", modes: this.modes, configOptions: this.configOptions };
  }
}
