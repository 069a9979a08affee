import type { Received } from "@acp/schema/v2/types";
import type { CallOptions } from "../rpc/connection.ts";
import { LazyAbort, sharedAbort } from "../base/abort.ts";
import { asyncDispose, createDeferred } from "../base/promises.ts";
import { ErrorCode, RequestError, TimeoutError } from "../base/errors.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import { backgroundTimer } from "../base/timers.ts";
import { UpdateStream } from "../session/client/update-stream.ts";
import type { IdleUpdate, SentPrompt } from "./prompt-progress.ts";
import type { SessionEvent } from "./session-event.ts";
import type { PromptOptions, Turn } from "./turn.ts";
import type { IdleStateOf } from "./vocabulary.ts";

/** How a turn has begun. */
export type TurnStart = Extract<SessionEvent, { readonly type: "turn_started" }>;

/** How a turn has ended. */
export type TurnOutcome =
  | { readonly type: "turn_ended"; readonly idle: IdleStateOf }
  | { readonly type: "turn_failed"; readonly error: unknown };

/** What turns need from their session. */
export interface ClientTurnLink {
  /** Sends the prompt; what keeps it from being sent rejects. */
  prompt(turn: ClientTurn, params: object, call: CallOptions): Promise<Received.PromptResponse>;
  /** The message has its place in the conversation. Runs the moment the answer arrives. */
  accepted(turn: ClientTurn, messageId: string): void;
  /** Sends `session/cancel`. */
  cancel(options: MetaOptions | undefined): void;
  /** Runs something once the handlers are done of all that has arrived. */
  behindHandlers(run: () => void): void;
  /** Not called for one whose signal had aborted before. */
  ended(turn: ClientTurn, end: TurnOutcome): void;
  onBacklog(size: number): void;
}

/** How a turn ends that was cancelled and of which the agent says nothing more. */
const cancelled: TurnOutcome = { type: "turn_ended", idle: { state: "idle", stopReason: "cancelled" } };

function endedBy(update: IdleUpdate): TurnOutcome {
  const { sessionUpdate: _, ...idle } = update;
  return { type: "turn_ended", idle };
}

function failed(error: unknown): TurnOutcome {
  return { type: "turn_failed", error };
}

/** A running turn, and where its updates go in. */
export class ClientTurn implements Turn, SentPrompt {
  readonly accepted: Promise<Received.PromptResponse>;
  readonly finished: Promise<IdleStateOf>;
  /** Tells the session's observers that it has begun. */
  readonly start: TurnStart;
  /** What its session's observers were told of its answer, once they were. */
  acceptance: Extract<SessionEvent, { readonly type: "turn_accepted" }> | undefined;
  /** Not a method: its name would be read from `Symbol`, which lacks it in older runtimes. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  isCancelled = false;
  /** Made for the first who asks; most turns have a handler instead. */
  #stream: UpdateStream<Received.SessionUpdate> | undefined;
  #end: TurnOutcome | undefined;
  /** What finishes it, once the handlers are done of what came before. */
  #ending: IdleUpdate | undefined;
  #isSent = false;
  #isAccepted = false;
  /** Its session was closed: the agent sends no state any more. */
  #isClosed = false;
  readonly #link: ClientTurnLink;
  readonly #grace: number;
  readonly #hasBegun: boolean;
  /** Gives up the wait for the answer. */
  readonly #giveUp = new LazyAbort();
  /** What `close` waits for: it is known how the turn ends. */
  readonly #arrival = createDeferred();
  #settle!: (end: TurnOutcome) => void;
  #stopTimer: (() => void) | undefined;
  #stopListening: (() => void) | undefined;

  /** A signal that has aborted sends nothing. */
  constructor(link: ClientTurnLink, start: TurnStart, params: object, { signal, cancelGrace }: PromptOptions) {
    this[asyncDispose] = closeTurn;
    this.#link = link;
    this.start = start;
    this.#hasBegun = signal?.aborted !== true;
    this.#grace = cancelGrace ?? 30_000;
    this.finished = new Promise((resolve, reject) => {
      this.#settle = (end) => (end.type === "turn_ended" ? resolve(end.idle) : reject(end.error));
    });
    // Whoever wants to know awaits them.
    this.finished.catch(() => {});
    this.accepted = this.#hasBegun ? link.prompt(this, params, this.#call()) : Promise.reject(signal?.reason);
    if (signal && this.#hasBegun) this.#cancelOn(signal);
    this.accepted.catch((error: unknown) => this.#refused(error));
  }

  #call(): CallOptions {
    return {
      signal: this.#giveUp,
      onSent: () => {
        this.#isSent = true;
      },
      // At once: what stands right behind the answer is of this turn, or of the next one.
      onResult: (result) => {
        if (this.#end !== undefined) return;
        this.#isAccepted = true;
        this.#link.accepted(this, (result as Received.PromptResponse).messageId);
        if (this.#isClosed) this.#finishBehind(cancelled);
      },
    };
  }

  #cancelOn(signal: AbortSignal): void {
    const cancel = (): void => this.cancel();
    const shared = sharedAbort(signal);
    shared.addEventListener("abort", cancel);
    this.#stopListening = () => shared.removeEventListener("abort", cancel);
  }

  /** The agent has not accepted the prompt, or nobody knows whether it has. */
  #refused(error: unknown): void {
    // That somebody has cancelled is no error, nor that nobody waits for a login any more.
    const end = this.isCancelled && isWithdrawn(error) ? cancelled : failed(error);
    // What the agent has told before it refused comes first.
    if (error instanceof RequestError) this.#finishBehind(end);
    else this.#finish(end);
  }

  ends(idle: IdleUpdate, before: boolean): void {
    this.#ending = idle;
    this.#arrival.resolve();
    if (before) this.#finishBehind(endedBy(idle));
  }

  /** The handler of this update is done. It may be what finishes the turn. */
  handled(update: Received.SessionUpdate): void {
    if (this.#ending !== undefined && update === this.#ending) this.#finish(endedBy(this.#ending));
  }

  /** Its session was closed, which cancels it: the agent sends no state any more, and at most the answer. */
  sessionClosed(): void {
    this.#isClosed = true;
    this.markCancelled();
    if (this.#ending !== undefined) this.#finishBehind(endedBy(this.#ending));
    else if (this.#isAccepted) this.#finishBehind(cancelled);
  }

  /** Nothing of its session comes here any more. What has come may still wait for its handler. */
  sessionLost(reason: unknown): void {
    if (this.#ending === undefined) this.#finish(failed(reason));
    else this.#finishBehind(endedBy(this.#ending));
  }

  #finishBehind(end: TurnOutcome): void {
    this.#stopTimer?.();
    this.#arrival.resolve();
    this.#link.behindHandlers(() => this.#finish(end));
  }

  #finish(end: TurnOutcome): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#stopTimer?.();
    this.#stopListening?.();
    this.#arrival.resolve();
    if (this.#hasBegun) this.#link.ended(this, end);
    this.#endStream();
    this.#settle(end);
  }

  get updates(): AsyncIterable<Received.SessionUpdate> {
    if (this.#stream === undefined) {
      this.#stream = new UpdateStream((size) => this.#link.onBacklog(size));
      this.#endStream();
    }
    this.#stream.keep();
    return this.#stream;
  }

  get isObserved(): boolean {
    return this.#stream?.isObserved === true;
  }

  push(update: Received.SessionUpdate): void {
    this.#stream?.push(update);
  }

  #endStream(): void {
    if (this.#end !== undefined) this.#stream?.end(this.#end.type === "turn_failed" ? this.#end.error : undefined);
  }

  cancel(options?: MetaOptions): void {
    // Of one that was not sent, or could not be, the agent knows nothing; another one may run there.
    if (this.#ending !== undefined || this.#end !== undefined || this.isCancelled || !this.#isSent) return;
    this.#link.cancel(options);
    // Also where its session has ended meanwhile: it is given up after the grace.
    this.markCancelled();
  }

  /** `session/cancel` was sent for it, by {@link cancel} or by hand, or its session is being closed. */
  markCancelled(): void {
    if (this.#end !== undefined || this.isCancelled) return;
    this.isCancelled = true;
    this.#stopTimer = backgroundTimer(() => this.#timedOut(), this.#grace);
  }

  #timedOut(): void {
    // The state has come in time, and waits for a handler.
    if (this.#ending !== undefined) return;
    const what = this.#isAccepted ? "become idle" : "answer session/prompt";
    const message = `The agent did not ${what} within ${this.#grace} ms of session/cancel`;
    const error = new TimeoutError("cancel", this.#grace, message);
    this.#giveUp.abort(error);
    this.#finish(failed(error));
  }

  async close(): Promise<void> {
    this.cancel();
    // One of the handlers may be what waits here.
    await this.#arrival.promise;
  }
}

/** The same for all turns, which would outlive their time for the garbage collector with one each. */
function closeTurn(this: ClientTurn): Promise<void> {
  return this.close();
}

/** Whether the agent has answered that it did not take the prompt, because of a cancel or for want of a login. */
function isWithdrawn(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.wire.code === ErrorCode.authRequired || error.wire.code === ErrorCode.requestCancelled;
}
