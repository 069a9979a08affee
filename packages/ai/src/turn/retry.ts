import { toSeconds } from "../errors/describe-model-error.ts";
import type { ModelError } from "../errors/model-error.ts";
import type { AnyTurn } from "./any-turn.ts";
import { tellUser } from "./tell-user.ts";
import { requireObject } from "@acp/core/internal";
import { toShown } from "./any-turn.ts";

/** Nobody waits longer than this for an answer, in milliseconds; the error then tells when to come again. */
const longestWait = 300_000;

/** How often to retry, and when. */
export interface RetryOptions {
  /** Default: 5. */
  readonly maxRetries?: number | undefined;
  /** The milliseconds to wait if the provider names none. Default: a second, twice as long each time, a minute at most. */
  readonly backoff?: ((attempt: number) => number) | undefined;
}

/**
 * Tells the user why, and waits until a failed request may be repeated, or the turn is cancelled. Resolves with `false` at once
 * if a retry is of no use: the error is final, this was the last attempt, or the provider wants to be left alone for more than
 * five minutes. `attempt` counts from 1.
 */
export async function waitForRetry(
  turn: AnyTurn,
  error: ModelError,
  attempt: number,
  options: RetryOptions,
): Promise<boolean> {
  toShown(turn);
  requireObject(error, "waitForRetry() takes a ModelError second");
  const { maxRetries = 5, backoff = defaultBackoff } = options ?? {};
  if (attempt > maxRetries || !error.isRetryable) return false;
  const wait = error.retryAfter ?? backoff(attempt);
  if (wait > longestWait) return false;
  const description = `Trying again in ${toSeconds(wait)} (${attempt} of ${maxRetries}).`;
  await tellUser(turn, { severity: "warning", title: error.what, description });
  await sleep(wait, turn.signal);
  return true;
}

function defaultBackoff(attempt: number): number {
  return Math.min(60_000, 1000 * 2 ** (attempt - 1));
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal.addEventListener("abort", wake);
  });
}
