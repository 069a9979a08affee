import type { Received } from "@acp/schema/v2/types";
import { LazyAbort } from "../base/abort.ts";
import { RequestError, TimeoutError } from "../base/errors.ts";
import { createDeferred } from "../base/promises.ts";
import type { CallOptions } from "../rpc/outgoing-requests.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import { isRefusedPrompt, Turn, type TurnSession } from "../session/client/turn.ts";
import type { IdleUpdate, SentPrompt } from "./foreground/prompt-progress.ts";
import { writeStateAsReceived } from "./foreground/write-state-as-received.ts";
import type { SessionEvent } from "./session-event.ts";
import type { PromptOptions, Turn as PublicTurn } from "./turn.ts";
import type { IdleStateOf } from "./protocol-types.ts";

/** How a turn started. */
export type TurnStart = Extract<SessionEvent, { readonly type: "turn_started" }>;

/** How a turn has ended. */
export type TurnOutcome =
  | { readonly type: "turn_ended"; readonly idle: IdleStateOf; readonly error?: undefined }
  | { readonly type: "turn_failed"; readonly error: unknown };

/** The parts that turns need from their session. */
export interface TurnLink {
  readonly session: TurnSession;
  /** Sends the prompt; rejects with the reason if it cannot be sent. */
  prompt(turn: TurnV2, params: object, call: CallOptions): Promise<Received.PromptResponse>;
  /** The message has its place in the conversation. Called the moment the answer arrives. */
  onAccepted(turn: TurnV2, messageId: string): void;
  /** Sends `session/cancel`. */
  cancel(options: MetaOptions | undefined): void;
  /** Runs `run` once the handlers of all that has arrived are done. */
  runBehindHandlers(run: () => void): void;
  /** Not called for a turn whose signal had aborted before. */
  onEnd(turn: TurnV2, outcome: TurnOutcome): void;
}

/** The end of a cancelled turn whose idle state the agent does not send. */
const cancelled: TurnOutcome = { type: "turn_ended", idle: { state: "idle", stopReason: "cancelled" } };

function endedBy(update: IdleUpdate): TurnOutcome {
  const { sessionUpdate: _, ...idle } = update;
  return { type: "turn_ended", idle: writeStateAsReceived(idle) };
}

function failed(error: unknown): TurnOutcome {
  return { type: "turn_failed", error };
}

/** A running turn of version 2: an idle state of its session ends it. */
export class TurnV2 extends Turn<Received.SessionUpdate, TurnOutcome> implements PublicTurn, SentPrompt {
  readonly accepted: Promise<Received.PromptResponse>;
  readonly finished: Promise<IdleStateOf>;
  /** The event that started it. */
  readonly start: TurnStart;
  /** The event that its acceptance was emitted with, once it was. */
  acceptance: Extract<SessionEvent, { readonly type: "turn_accepted" }> | undefined;
  protected isSent = false;
  /** The state that ends it once the handlers of earlier messages are done. */
  #ending: IdleUpdate | undefined;
  #isAccepted = false;
  /** The agent has answered with an error, which a login may resolve. */
  #isRefused = false;
  /** Its session was closed: the agent sends no state any more. */
  #isClosed = false;
  readonly #link: TurnLink;
  /** Ends the wait for the answer. */
  readonly #giveUp = new LazyAbort();
  /** Resolved when it is known how the turn ends, for `close`. */
  readonly #arrival = createDeferred();
  #settle!: (end: TurnOutcome) => void;

  constructor(link: TurnLink, start: TurnStart, params: object, options: PromptOptions) {
    super(options, link.session);
    const { signal } = options;
    this.#link = link;
    this.start = start;
    this.finished = new Promise((resolve, reject) => {
      this.#settle = (end) => (end.type === "turn_ended" ? resolve(end.idle) : reject(end.error));
    });
    // Not everybody awaits it.
    this.finished.catch(() => {});
    this.accepted = this.hasBegun ? link.prompt(this, params, this.#createCall()) : Promise.reject(signal?.reason);
    this.cancelOn(signal);
    this.accepted.catch((error: unknown) => this.#onRefused(error));
    this.watch();
  }

  #createCall(): CallOptions {
    return {
      signal: this.#giveUp,
      onSent: () => {
        this.isSent = true;
        this.#isRefused = false;
      },
      onError: () => {
        this.#isRefused = true;
      },
      // At once: an update right after the answer belongs to this turn, or to the next one.
      onResult: (result) => {
        if (this.outcome !== undefined) return;
        this.#isAccepted = true;
        this.#link.onAccepted(this, (result as Received.PromptResponse).messageId);
        if (this.#isClosed) this.#finishBehindHandlers(cancelled);
      },
    };
  }

  /** The agent has not accepted the prompt, or it is unknown whether it has. */
  #onRefused(error: unknown): void {
    // A cancel is not an error, nor is the end of the wait for a login.
    const end = this.isCancelled && isRefusedPrompt(error) ? cancelled : failed(error);
    // Messages that the agent sent before it refused come first.
    if (error instanceof RequestError) this.#finishBehindHandlers(end);
    else this.finish(end);
  }

  ends(idle: IdleUpdate, before: boolean): void {
    // A copy: the handler of this state may still run, and updates between the two belong to the turn.
    this.#ending = before ? { ...idle } : idle;
    this.#arrival.resolve();
    if (before) this.#finishBehindHandlers(endedBy(idle));
  }

  /** The handler of this update is done. It may be the one that ends the turn. */
  onHandled(update: Received.SessionUpdate): void {
    if (this.#ending !== undefined && update === this.#ending) this.finish(endedBy(this.#ending));
  }

  /** Its session was closed, which cancels it: the agent sends no state any more, and at most the answer. */
  onSessionClosed(): void {
    this.#isClosed = true;
    this.markCancelled();
    if (this.#ending !== undefined) this.#finishBehindHandlers(endedBy(this.#ending));
    else if (this.#isAccepted) this.#finishBehindHandlers(cancelled);
  }

  /** Its session receives no more messages. Earlier ones may still wait for their handlers. */
  onSessionLost(reason: unknown): void {
    if (this.#ending === undefined) this.finish(failed(reason));
    else this.#finishBehindHandlers(endedBy(this.#ending));
  }

  #finishBehindHandlers(end: TurnOutcome): void {
    this.stopTimer();
    this.#arrival.resolve();
    this.#link.runBehindHandlers(() => this.finish(end));
  }

  protected override finish(outcome: TurnOutcome): boolean {
    if (!super.finish(outcome)) return false;
    this.#arrival.resolve();
    this.#settle(outcome);
    return true;
  }

  override cancel(options?: MetaOptions): void {
    if (this.#ending === undefined) super.cancel(options);
  }

  protected sendCancel(options: MetaOptions | undefined): void {
    this.#link.cancel(options);
  }

  /** How it ends has arrived in time, and may wait for a handler. */
  protected get isAnswered(): boolean {
    return this.#ending !== undefined || this.#isRefused;
  }

  protected giveUp(reason: unknown): void {
    this.#giveUp.abort(reason);
  }

  protected onGraceOver(milliseconds: number, lastSeen: string): void {
    if (this.#ending !== undefined) return;
    const what = this.#isAccepted ? "become idle" : "answer session/prompt";
    const message = `The agent did not ${what} within ${milliseconds} ms of session/cancel. ${lastSeen}`;
    const error = new TimeoutError("cancel", milliseconds, message);
    this.#giveUp.abort(error);
    this.finish(failed(error));
  }

  protected onEnd(outcome: TurnOutcome): void {
    this.#link.onEnd(this, outcome);
  }

  async close(): Promise<void> {
    this.cancel();
    // A handler may wait here.
    await this.#arrival.promise;
  }
}
