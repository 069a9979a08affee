import { sharedAbort } from "../../base/abort.ts";
import { ErrorCode, RequestError } from "../../base/errors.ts";
import { asyncDispose } from "../../base/promises.ts";
import { backgroundTimer } from "../../base/timers.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import { UpdateStream } from "./update-stream.ts";

interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  readonly cancelGrace?: number | undefined;
}

/** A turn of any version, as the client sees it: where its updates go, and how it is cancelled. */
export abstract class Turn<Update, Outcome extends { readonly type: string; readonly error?: unknown }> {
  /** Not a method: older runtimes lack the name in `Symbol`. */
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  isCancelled = false;
  /** How it has ended. */
  protected outcome: Outcome | undefined;
  /** Whether it is sent at all: a signal that has aborted before sends nothing. */
  protected readonly hasBegun: boolean;
  protected readonly grace: number;
  /** Created on first use; most turns have a handler instead. */
  #stream: UpdateStream<Update> | undefined;
  #stopTimer: (() => void) | undefined;
  #stopListening: (() => void) | undefined;

  constructor({ signal, cancelGrace }: TurnOptions) {
    this[asyncDispose] = closeTurn;
    this.hasBegun = signal?.aborted !== true;
    this.grace = cancelGrace ?? 30_000;
  }

  /** Its prompt is on its way to the agent. */
  protected abstract get isSent(): boolean;
  protected abstract sendCancel(options: MetaOptions | undefined): void;
  /** The agent has not answered within the grace of a cancel. */
  protected abstract onGraceOver(): void;
  /** Not called for a turn that was not sent. */
  protected abstract onEnd(outcome: Outcome): void;
  protected abstract onBacklog(size: number): void;

  protected cancelOn(signal: AbortSignal | undefined): void {
    // Programs in JavaScript pass null for what they do not set.
    if (!signal || !this.hasBegun) return;
    const cancel = (): void => this.cancel();
    const shared = sharedAbort(signal);
    shared.addEventListener("abort", cancel);
    this.#stopListening = () => shared.removeEventListener("abort", cancel);
  }

  get updates(): AsyncIterable<Update> {
    if (this.#stream === undefined) {
      this.#stream = new UpdateStream((size) => this.onBacklog(size));
      this.#endStream();
    }
    this.#stream.keep();
    return this.#stream;
  }

  get isObserved(): boolean {
    return this.#stream?.isObserved === true;
  }

  push(update: Update): void {
    this.#stream?.push(update);
  }

  cancel(options?: MetaOptions): void {
    // The agent does not know a prompt that was not sent; another turn may run there.
    if (this.outcome !== undefined || this.isCancelled || !this.isSent) return;
    this.sendCancel(options);
    // Also if its session has ended meanwhile: the turn is given up after the grace.
    this.markCancelled();
  }

  /** `session/cancel` was sent, by {@link cancel} or by hand, or its session is being closed. */
  markCancelled(): void {
    if (this.outcome !== undefined || this.isCancelled) return;
    this.isCancelled = true;
    this.onCancelled();
    this.#stopTimer = backgroundTimer(() => this.onGraceOver(), this.grace);
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

/** Shared by all turns: a closure per turn would outlive it until the garbage collector runs. */
function closeTurn(this: { close(): Promise<void> }): Promise<void> {
  return this.close();
}

/** Whether the agent has answered that it did not begin, or has stopped: for want of a login, or because of a cancel. */
export function isRefusedPrompt(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.wire.code === ErrorCode.authRequired || error.wire.code === ErrorCode.requestCancelled;
}
