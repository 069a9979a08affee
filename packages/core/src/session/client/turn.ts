import { AbortReason, sharedAbort } from "../../base/abort.ts";
import { ErrorCode, RequestError } from "../../base/errors.ts";
import { asyncDispose } from "../../base/promises.ts";
import { backgroundTimer } from "../../base/timers.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import {
  describeLastSeen,
  type StallLimits,
  stallLimits,
  type StallOptions,
  type StallStep,
  watchSilence,
} from "./stall-watch.ts";
import type { UnreadUpdates } from "./updates/unread-updates.ts";
import { UpdateStream } from "./updates/update-stream.ts";

interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  readonly cancelGrace?: number | undefined;
  readonly stall?: StallOptions | undefined;
}

/** How long an agent may take to answer a cancel, in milliseconds, and how long it may be silent meanwhile. */
const defaultGrace = { total: 30_000, silence: 10_000 };

/** The session of a turn, as far as it shows whether the turn makes progress. */
export interface TurnSession {
  readonly id: string;
  readonly stall: StallLimits;
  readonly unread: UnreadUpdates;
  /** How large the message is that was received last, in characters. */
  readonly receivedSize: number;
  /** How many messages have arrived that are signs of life. */
  readonly progress: number;
  /** Whether the agent waits for the client, or something runs in the session that takes its time. */
  readonly isBusy: boolean;
  /** The latest received message, in words; `undefined` for none. */
  readonly lastSeen: string | undefined;
  onStall(step: StallStep): void;
  /** Delivers the updates that wait for their handler. */
  deliverWaiting(): void;
}

/** A turn of any version, as the client sees it: where its updates go, and how it is cancelled. */
export abstract class Turn<Update, Outcome extends { readonly type: string; readonly error?: unknown }> {
  /** Not a method: older runtimes lack the name in `Symbol`. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  isCancelled = false;
  /** How it has ended. */
  protected outcome: Outcome | undefined;
  /** False if it is not sent at all, because its signal had aborted before. */
  protected readonly hasBegun: boolean;
  /** `undefined` for the default, which depends on whether anything arrives. */
  readonly #grace: number | undefined;
  readonly #session: TurnSession;
  readonly #stall: StallLimits;
  /** The {@link TurnSession.progress} before it started. */
  readonly #progressBefore: number;
  /** Created on first use; most turns have a handler instead. */
  #stream: UpdateStream<Update> | undefined;
  #stopTimer: (() => void) | undefined;
  #stopListening: (() => void) | undefined;

  constructor({ signal, cancelGrace, stall }: TurnOptions, session: TurnSession) {
    this[asyncDispose] = closeTurn;
    this.hasBegun = signal?.aborted !== true;
    this.#grace = cancelGrace ?? undefined;
    this.#session = session;
    this.#stall = stallLimits(stall, session.stall);
    this.#progressBefore = session.progress;
  }

  /** Ends the wait for the answer to the prompt, and for the sending of it. */
  protected abstract giveUp(reason: unknown): void;
  /** Its prompt is on its way to the agent. */
  protected abstract get isSent(): boolean;
  protected abstract sendCancel(options: MetaOptions | undefined): void;
  /** The agent has reported the end of the turn, or asked for a login first. */
  protected abstract get isAnswered(): boolean;
  /** The agent has not answered a cancel within this time. `lastSeen` is a sentence about its latest message. */
  protected abstract onGraceOver(milliseconds: number, lastSeen: string): void;
  /** Not called for a turn that was not sent. */
  protected abstract onEnd(outcome: Outcome): void;

  /** True if new updates belong to it: its prompt was sent, and the agent has not answered it. */
  get takesUpdates(): boolean {
    return this.isSent && !this.isAnswered;
  }

  protected cancelOn(signal: AbortSignal | undefined): void {
    // Programs in JavaScript pass null for options they do not set.
    if (!signal || !this.hasBegun) return;
    const cancel = (): void => this.cancel();
    const shared = sharedAbort(signal);
    shared.addEventListener("abort", cancel);
    this.#stopListening = () => shared.removeEventListener("abort", cancel);
  }

  /** Starts to watch whether it makes progress, once its prompt is on its way. */
  protected watch(): void {
    if (this.outcome !== undefined || this.isCancelled || !this.hasBegun) return;
    const { after } = this.#stall;
    this.#stopTimer = watchSilence(this, after, () => this.#onStall(after));
  }

  get progress(): number {
    return this.#session.progress;
  }

  get isSuspended(): boolean {
    return !this.isSent || this.isAnswered || this.#session.isBusy;
  }

  #onStall(silence: number): void {
    const cancels = this.#stall.then === "cancel";
    this.#reportStall(cancels ? "cancelled" : "reported", silence);
    if (cancels) this.cancel();
  }

  #reportStall(step: StallStep["step"], silence: number): void {
    this.#session.onStall({ step, silence, lastSeen: this.#lastSeen });
  }

  /** The latest message since it started. */
  get #lastSeen(): string | undefined {
    return this.progress === this.#progressBefore ? undefined : this.#session.lastSeen;
  }

  get updates(): AsyncIterable<Update> {
    if (this.#stream === undefined) {
      const { id: sessionId, unread } = this.#session;
      this.#stream = new UpdateStream({ sessionId, unread, keepsQuietly: false });
      this.#endStream();
    }
    this.#stream.keep();
    return this.#stream;
  }

  get isObserved(): boolean {
    return this.#stream?.isObserved === true;
  }

  push(update: Update): void {
    this.#stream?.push(update, this.#session.receivedSize);
  }

  get room(): Promise<void> | undefined {
    return this.#stream?.room;
  }

  cancel(options?: MetaOptions): void {
    if (this.outcome !== undefined || this.isCancelled) return;
    // The agent does not know a prompt that was not sent; another turn may run there. An interceptor may still send it.
    if (!this.isSent) {
      this.isCancelled = true;
      return this.giveUp(new AbortReason("The turn was cancelled"));
    }
    this.sendCancel(options);
    // Even if its session has ended meanwhile: the turn is abandoned after the grace.
    this.markCancelled();
  }

  /** `session/cancel` was sent, by {@link cancel} or by hand, or its session is being closed. */
  markCancelled(): void {
    if (this.outcome !== undefined || this.isCancelled) return;
    this.isCancelled = true;
    this.onCancelled();
    this.#stopTimer?.();
    this.#stopTimer = this.#startGrace();
  }

  /** A time set by the caller counts as it is. By default, a silent agent gets less. */
  #startGrace(): () => void {
    const grace = this.#grace;
    if (grace !== undefined) return backgroundTimer(() => this.#giveUp(grace), grace);
    const { total, silence } = defaultGrace;
    return watchSilence(this, silence, (elapsed) => this.#giveUp(elapsed), total);
  }

  #giveUp(milliseconds: number): void {
    this.#stopTimer?.();
    if (!this.isAnswered) {
      this.#session.deliverWaiting();
      this.#reportStall("given-up", milliseconds);
    }
    this.onGraceOver(milliseconds, describeLastSeen(this.#lastSeen));
  }

  protected onCancelled(): void {}

  protected stopTimer(): void {
    this.#stopTimer?.();
  }

  /** Ends it. Returns whether it had not ended before. */
  protected finish(outcome: Outcome): boolean {
    if (this.outcome !== undefined) return false;
    this.outcome = outcome;
    this.#stopTimer?.();
    this.#stopListening?.();
    if (this.hasBegun) this.onEnd(outcome);
    this.#endStream();
    return true;
  }

  #endStream(): void {
    if (this.outcome !== undefined) this.#stream?.end(this.outcome.error);
  }

  abstract close(): Promise<void>;
}

/** The first of these turns that takes new updates. Usually there is one turn. */
export function turnThatTakes<T extends { readonly takesUpdates: boolean }>(turns: readonly T[]): T | undefined {
  const [first] = turns;
  return first === undefined || first.takesUpdates ? first : turns.find(({ takesUpdates }) => takesUpdates);
}

/** Shared by all turns: a closure per turn would outlive it until the garbage collector runs. */
function closeTurn(this: { close(): Promise<void> }): Promise<void> {
  return this.close();
}

/**
 * Whether the agent has answered that it did not start, or has stopped: for want of a login, or because of a cancel. Or an
 * interceptor has stopped to wait for it.
 */
export function isRefusedPrompt(error: unknown): boolean {
  if ((error as Error | undefined)?.name === "AbortError") return true;
  if (!(error instanceof RequestError)) return false;
  return error.wire.code === ErrorCode.authRequired || error.wire.code === ErrorCode.requestCancelled;
}
