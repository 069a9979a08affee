import { toSeconds } from "../errors/describe-model-error.ts";
import type { ModelError } from "../errors/model-error.ts";
import { type AnyTurn, toShown } from "./any-turn.ts";

/** Nobody waits longer than this for an answer, in milliseconds; the error then tells when to come again. */
const longestWait = 300_000;

interface RetryOptions {
  readonly maxRetries?: number | undefined;
  readonly backoff?: ((attempt: number) => number) | undefined;
}

/**
 * Tells the user why, and waits until the request may be repeated, or the turn is cancelled. Resolves with `false` at once if
 * the provider wants to be left alone for too long.
 */
export async function waitForRetry(
  turn: AnyTurn,
  error: ModelError,
  attempt: number,
  { maxRetries = 5, backoff = defaultBackoff }: RetryOptions,
): Promise<boolean> {
  const wait = error.retryAfter ?? backoff(attempt);
  if (wait > longestWait) return false;
  const description = `Trying again in ${toSeconds(wait)} (${attempt} of ${maxRetries}).`;
  await toShown(turn).offer({ sessionUpdate: "notice", severity: "warning", title: error.what, description });
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
