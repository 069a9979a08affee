import type { Received } from "@acp/schema/v1/types";
import { LazyAbort } from "../base/abort.ts";
import { TimeoutError } from "../base/errors.ts";
import { createDeferred, type Deferred } from "../base/promises.ts";
import type { CallOptions } from "../rpc/outgoing-requests.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import { isRefusedPrompt, Turn, type TurnSession } from "../session/client/turn.ts";
import type { SessionEvent } from "./session-event.ts";
import type { PromptOptions, Turn as PublicTurn } from "./turn.ts";

/** How a turn started. */
export type TurnStart = Extract<SessionEvent, { readonly type: "turn_started" }>;

/** How a turn has ended. */
export type TurnOutcome =
  | { readonly type: "turn_ended"; readonly response: Received.PromptResponse; readonly error?: undefined }
  | { readonly type: "turn_failed"; readonly error: unknown };

/** The parts that turns need from their session. */
export interface TurnLink {
  readonly session: TurnSession;
  /** The answer to a prompt counts once the interceptors are done with it. */
  readonly isIntercepted: boolean;
  prompt(params: object, call: CallOptions): Promise<Received.PromptResponse>;
  /** Sends `session/cancel`. */
  cancel(options: MetaOptions | undefined): void;
  onCancelled(turn: TurnV1): void;
  /** Not called for a turn whose signal had aborted before. */
  onEnd(turn: TurnV1, outcome: TurnOutcome): void;
}

/** The options of a prompt's call. */
class PromptCall implements CallOptions {
  readonly signal = new LazyAbort();
  isSent = false;
  /** The answer has arrived. It may wait for the handlers of earlier messages. */
  hasArrived = false;
  readonly #turn: TurnV1;

  constructor(turn: TurnV1) {
    this.#turn = turn;
  }

  onSent(): void {
    this.isSent = true;
    // The answer that had arrived refused the prompt until a login.
    this.hasArrived = false;
  }

  onArrival(): void {
    this.hasArrived = true;
    this.#turn.onArrival();
  }

  // An update right after the answer belongs to the next turn. Some transports deliver the answer while they send.

  onResult(result: unknown): void {
    if (this.isSent && !this.#turn.isIntercepted) this.#turn.succeed(result as Received.PromptResponse);
  }

  onError(error: unknown): void {
    // A refused prompt may be sent again, or was cancelled.
    if (this.isSent && !this.#turn.isIntercepted && !isRefusedPrompt(error)) this.#turn.fail(error);
  }
}

/** A running turn of version 1: the answer to its prompt ends it. */
export class TurnV1 extends Turn<Received.SessionUpdate, TurnOutcome> implements PublicTurn {
  readonly response: Promise<Received.PromptResponse>;
  /** The event that started it. */
  readonly start: TurnStart;
  readonly #link: TurnLink;
  readonly #call = new PromptCall(this);
  /** Resolved when the answer arrives, for `close`. */
  #arrival: Deferred | undefined;

  constructor(link: TurnLink, start: TurnStart, params: object, options: PromptOptions) {
    super(options, link.session);
    const { signal } = options;
    this.#link = link;
    this.start = start;
    const answer = this.hasBegun ? link.prompt(params, this.#call) : Promise.reject(signal?.reason);
    this.cancelOn(signal);
    this.response = answer.then(
      (response) => this.succeed(response),
      (error: unknown) => this.#failResponse(error),
    );
    this.watch();
  }

  get isIntercepted(): boolean {
    return this.#link.isIntercepted;
  }

  succeed(response: Received.PromptResponse): Received.PromptResponse {
    this.finish({ type: "turn_ended", response });
    return response;
  }

  fail(error: unknown): void {
    this.finish({ type: "turn_failed", error });
  }

  #failResponse(error: unknown): Received.PromptResponse {
    // The wait for a login is over, and a cancel by the user is not an error (ERR-10).
    if (this.isCancelled && isRefusedPrompt(error)) return this.succeed({ stopReason: "cancelled" });
    this.fail(error);
    this.response.catch(() => {});
    throw error;
  }

  protected get isSent(): boolean {
    return this.#call.isSent;
  }

  protected sendCancel(options: MetaOptions | undefined): void {
    this.#link.cancel(options);
  }

  protected override onCancelled(): void {
    this.#link.onCancelled(this);
  }

  protected get isAnswered(): boolean {
    return this.#call.hasArrived;
  }

  protected giveUp(reason: unknown): void {
    this.#call.signal.abort(reason);
  }

  protected onGraceOver(milliseconds: number, lastSeen: string): void {
    const message = `The agent did not answer session/prompt within ${milliseconds} ms of session/cancel. ${lastSeen}`;
    this.giveUp(new TimeoutError("cancel", milliseconds, message));
  }

  protected onEnd(outcome: TurnOutcome): void {
    this.#link.onEnd(this, outcome);
  }

  onArrival(): void {
    this.#arrival?.resolve();
  }

  async close(): Promise<void> {
    this.cancel();
    if (this.#call.hasArrived) return;
    this.#arrival ??= createDeferred();
    // A handler may wait here, and the response waits for the handlers.
    await Promise.race([this.response.catch(() => {}), this.#arrival.promise]);
  }
}
