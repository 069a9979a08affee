import { RequestError } from "@acp/core";

/**
 * Why a model failed.
 *
 * - `auth`: the provider refused the key, or there is none.
 * - `quota`: the account has no credit left.
 * - `not_found`: there is no such model, or the address is wrong.
 * - `rate_limit`: too many requests; `retryAfter` says when to come again, if the provider did.
 * - `overloaded`, `server`: the provider is busy, or failed.
 * - `network`: the provider was not reached, or did not answer in time.
 * - `broken_off`: the answer ended in the middle.
 * - `too_long`: the conversation is longer than the model can read.
 * - `bad_request`: the provider did not accept the request.
 * - `wrong_form`: the answer is not the `output` that was asked for.
 * - `unknown`: anything else.
 */
export type ModelErrorKind =
  | "auth"
  | "quota"
  | "not_found"
  | "rate_limit"
  | "overloaded"
  | "server"
  | "network"
  | "broken_off"
  | "too_long"
  | "bad_request"
  | "wrong_form"
  | "unknown";

/** What is known of a failure. */
export interface ModelFailure {
  readonly kind: ModelErrorKind;
  /** What happened: a short sentence without anything that the provider has sent. */
  readonly what: string;
  /** What to do: another one. */
  readonly advice: string;
  /** The status of HTTP. */
  readonly status?: number | undefined;
  /** How long the provider wants to be left alone, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/**
 * A model failed. The message is safe to show and to log: it has neither the key nor a word of the prompt or of the answer.
 * For the same reason it has no `cause`. A handler that throws it ends the turn with this message as its error (`-32603`).
 *
 * ```ts
 * try {
 *   return await runTurn(turn, { model, messages });
 * } catch (error) {
 *   if (error instanceof ModelError && error.kind === "too_long") return await runTurn(turn, { model, messages: shorten(messages) });
 *   throw error;
 * }
 * ```
 */
export class ModelError extends RequestError {
  protected static override readonly errorName: string = "ModelError";
  readonly kind: ModelErrorKind;
  /** The first sentence of the message: what happened. */
  readonly what: string;
  /** The status of HTTP, if the provider answered. */
  declare readonly status: number | undefined;
  /** How long the provider wants to be left alone, in milliseconds. */
  declare readonly retryAfter: number | undefined;

  constructor(failure: ModelFailure) {
    const { kind, what, advice, status, retryAfter } = failure ?? {};
    super({
      code: -32603,
      message: `${what} ${advice}`,
      data: { kind, ...(status === undefined ? {} : { status }), ...(retryAfter === undefined ? {} : { retryAfter }) },
    });
    this.kind = kind;
    this.what = what;
    if (status !== undefined) this.status = status;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }

  /** Whether the same request may work a little later. */
  get isRetryable(): boolean {
    return retryable.includes(this.kind);
  }
}

const retryable: readonly ModelErrorKind[] = ["rate_limit", "overloaded", "server", "network", "broken_off"];
