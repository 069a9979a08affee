import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v1/types";

import type { CallOptions } from "../rpc/connection.ts";
import { LazyAbort, sharedAbort } from "../base/abort.ts";
import { asyncDispose, createDeferred, type Deferred } from "../base/promises.ts";
import { ErrorCode, RequestError, TimeoutError } from "../base/errors.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import { backgroundTimer } from "../base/timers.ts";
import type { SessionEvent } from "./session-event.ts";
import { UpdateStream } from "../session/client/update-stream.ts";
import type { PromptResponseOf, ReceivedUpdateOf } from "./vocabulary.ts";

/** Options of a prompt. */
export interface PromptOptions extends MetaOptions {
  /**
   * Cancels the turn when it aborts: `session/cancel` is sent, and `response` resolves with the agent's answer, normally
   * `cancelled`. If it has aborted before, nothing is sent, and `response` rejects with its reason.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the agent may take to answer after a cancel, in milliseconds; `Infinity` for no limit. Then `response` rejects
   * with a `TimeoutError`. Default: 30,000.
   */
  readonly cancelGrace?: number | undefined;
}

/**
 * A prompt turn as the client sees it.
 *
 * It is not a promise itself: await `response`. (An `async` function that returned a promise would wait for its end.)
 */
export interface Turn<out A = AgentMethods, out C = ClientMethods> {
  /**
   * The turn's updates, in order. The loop ends when the turn is answered, and throws what {@link response} rejects with.
   * Updates are kept from the first time this property is read. `break` does not cancel the turn.
   */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * The agent's answer. It comes after the handlers of all updates of the turn are done. A rejection never counts as
   * unhandled.
   *
   * After a cancel, an agent that refuses the prompt with `-32000` or `-32800` counts as `cancelled`. If the turn was
   * waiting for a login, it resolves with `cancelled` at once.
   *
   * Not to be awaited in a `session/update` handler of the same session, nor is a loop over {@link updates}: it waits for
   * that handler. Await {@link close} there.
   *
   * @throws {TimeoutError} the agent did not answer within `cancelGrace` of a cancel (phase `cancel`).
   * @throws what {@link Peer.request} throws.
   */
  readonly response: Promise<PromptResponseOf<A>>;
  /** Cancels the turn: sends `session/cancel` (CANC-01). Without effect once it is answered. */
  cancel(options?: MetaOptions): void;
  /** Cancels the turn if it runs, and waits until the agent has answered, but for no handler. Never rejects. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a turn has begun. */
export type TurnStart = Extract<SessionEvent, { readonly type: "turn_started" }>;

/** How a turn has ended. */
export type TurnEnd =
  | { readonly type: "turn_ended"; readonly response: Received.PromptResponse }
  | { readonly type: "turn_failed"; readonly error: unknown };

/** What turns need from their session. */
export interface ClientTurnLink {
  prompt(params: object, call: CallOptions): Promise<Received.PromptResponse>;
  /** Sends `session/cancel`. */
  cancel(options: MetaOptions | undefined): void;
  /** `session/cancel` was sent. */
  cancelled(turn: ClientTurn): void;
  /** Not called for one whose signal had aborted before. */
  ended(turn: ClientTurn, end: TurnEnd): void;
  onBacklog(size: number): void;
}

/** What a prompt is sent with. */
class PromptCall implements CallOptions {
  readonly signal = new LazyAbort();
  isSent = false;
  /** The answer is there. It may wait for the handlers of what came before it. */
  hasArrived = false;
  readonly #turn: ClientTurn;

  constructor(turn: ClientTurn) {
    this.#turn = turn;
  }

  onSent(): void {
    this.isSent = true;
    // That was of the prompt before, which was refused until somebody has logged in.
    this.hasArrived = false;
  }

  onArrival(): void {
    this.hasArrived = true;
    this.#turn.arrived();
  }

  // What stands right behind the answer is of the next turn. There are transports that deliver the answer while they send.

  onResult(result: unknown): void {
    if (this.isSent) this.#turn.finish({ type: "turn_ended", response: result as Received.PromptResponse });
  }

  onError(error: unknown): void {
    // One that was refused may be sent again, or was cancelled.
    if (this.isSent && !isRefused(error)) this.#turn.finish({ type: "turn_failed", error });
  }
}

/** A running turn, and where its updates go in. */
export class ClientTurn implements Turn {
  readonly response: Promise<Received.PromptResponse>;
  /** Tells the session's observers that it has begun. */
  readonly start: TurnStart;
  /** Not a method: its name would be read from `Symbol`, which lacks it in older runtimes. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  /** Made for the first who asks; most turns have a handler instead. */
  #stream: UpdateStream<Received.SessionUpdate> | undefined;
  #end: TurnEnd | undefined;
  readonly #link: ClientTurnLink;
  readonly #grace: number;
  readonly #call = new PromptCall(this);
  readonly #hasBegun: boolean;
  #cancelled = false;
  #stopTimer: (() => void) | undefined;
  #stopListening: (() => void) | undefined;
  /** What `close` waits for. */
  #arrival: Deferred | undefined;

  /** A signal that has aborted sends nothing. */
  constructor(link: ClientTurnLink, start: TurnStart, params: object, { signal, cancelGrace }: PromptOptions) {
    this[asyncDispose] = closeTurn;
    this.#link = link;
    this.start = start;
    this.#grace = cancelGrace ?? 30_000;
    this.#hasBegun = signal?.aborted !== true;
    const answer = this.#hasBegun ? link.prompt(params, this.#call) : Promise.reject(signal?.reason);
    if (signal && this.#hasBegun) this.#cancelOn(signal);
    this.response = answer.then(
      (response) => this.#succeed(response),
      (error: unknown) => this.#fail(error),
    );
  }

  #cancelOn(signal: AbortSignal): void {
    const cancel = (): void => this.cancel();
    const shared = sharedAbort(signal);
    shared.addEventListener("abort", cancel);
    this.#stopListening = () => shared.removeEventListener("abort", cancel);
  }

  #succeed(response: Received.PromptResponse): Received.PromptResponse {
    this.finish({ type: "turn_ended", response });
    return response;
  }

  #fail(error: unknown): Received.PromptResponse {
    // Nobody waits for a login any more, and that the user has cancelled is no error (ERR-10).
    if (this.#cancelled && isRefused(error)) return this.#succeed({ stopReason: "cancelled" });
    this.finish({ type: "turn_failed", error });
    this.response.catch(() => {});
    throw error;
  }

  /** The answer has come, or no answer will. */
  finish(end: TurnEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#stopTimer?.();
    this.#stopListening?.();
    if (this.#hasBegun) this.#link.ended(this, end);
    this.#endStream();
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

  get cancelled(): boolean {
    return this.#cancelled;
  }

  push(update: Received.SessionUpdate): void {
    this.#stream?.push(update);
  }

  cancel(options?: MetaOptions): void {
    // Of one that was not sent, or could not be, the agent knows nothing; another turn may run there.
    if (this.#end !== undefined || this.#cancelled || !this.#call.isSent) return;
    this.#link.cancel(options);
    // Also where its session has ended meanwhile: it is given up after the grace.
    this.markCancelled();
  }

  /** `session/cancel` was sent for it, by {@link cancel} or by hand. */
  markCancelled(): void {
    if (this.#end !== undefined || this.#cancelled) return;
    this.#cancelled = true;
    this.#link.cancelled(this);
    this.#stopTimer = backgroundTimer(() => {
      const message = `The agent did not answer session/prompt within ${this.#grace} ms of session/cancel`;
      this.#call.signal.abort(new TimeoutError("cancel", this.#grace, message));
    }, this.#grace);
  }

  #endStream(): void {
    if (this.#end !== undefined) this.#stream?.end(this.#end.type === "turn_failed" ? this.#end.error : undefined);
  }

  arrived(): void {
    this.#arrival?.resolve();
  }

  async close(): Promise<void> {
    this.cancel();
    if (this.#call.hasArrived) return;
    this.#arrival ??= createDeferred();
    // One of the handlers may be what waits here.
    await Promise.race([this.response.catch(() => {}), this.#arrival.promise]);
  }
}

/** The same for all turns: with a function of its own each outlives its time for the garbage collector (a quarter of a prompt). */
function closeTurn(this: ClientTurn): Promise<void> {
  return this.close();
}

/** Whether the agent has answered that it did not begin, or has stopped. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.wire.code === ErrorCode.authRequired || error.wire.code === ErrorCode.requestCancelled;
}
