import { type Check, CheckFailure, isStartError, NotApplicable, NotReached } from "./check.ts";
import type { CheckResult, CheckStatus, Exchanged } from "./result.ts";

/** What a check works with, and what is kept of it. */
export interface CheckContext {
  /** What went over the wire so far. */
  exchanged(): readonly Exchanged[];
  /** What a checked client has shown so far. */
  shown?(): string;
  /** The end of the checked program's stderr. */
  stderr(): string;
  /** Ends all that the check has started. */
  close(): Promise<void>;
}

/** How checks are run. */
export interface RunOptions<Context extends CheckContext> {
  readonly checks: readonly Check<Context>[];
  /** Makes what one run of a check works with. */
  createContext(check: Check<Context>): Context;
  /** How many run at the same time. */
  readonly jobs: number;
  /** How long one run of a check may take, in milliseconds. */
  readonly limit: number;
  /** Called with each result, in the order of the checks. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
  /** Called whenever a check is done, with how many are. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  /** Ends the run at once, with all that it has started. Checks that are not done by then are left out. */
  readonly signal?: AbortSignal | undefined;
}

/** How many messages of a check are kept, from its beginning and its end. */
const keptFirst = 20;
const keptLast = 180;
/** How long a reason may be, in characters: it quotes a dozen messages. */
const longestReason = 6000;

/** The run has ended before this check was done. */
class RunEnded extends Error {}

/**
 * Runs checks, several at a time, and returns their results in the order of the checks.
 *
 * @throws {ProcessStartError} if the checked program cannot be started.
 */
export async function runChecks<Context extends CheckContext>(
  options: RunOptions<Context>,
): Promise<readonly CheckResult[]> {
  const { checks, jobs, onResult, onProgress } = options;
  const results: (CheckResult | undefined)[] = [];
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  let failure: unknown;
  let next = 0;
  let done = 0;
  let told = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const place = next++;
      const check = checks[place];
      if (check === undefined || signal.aborted) return;
      results[place] = await runCheck(check, { ...options, signal });
      onProgress?.(++done, checks.length);
      for (let result = results[told]; result !== undefined; result = results[++told]) onResult?.(result);
    }
  };
  const workAndEnd = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RunEnded)) failure ??= error;
      failed.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, workAndEnd));
  if (failure !== undefined) throw failure;
  return results.filter((result) => result !== undefined);
}

async function runCheck<Context extends CheckContext>(
  check: Check<Context>,
  options: RunOptions<Context>,
): Promise<CheckResult> {
  const first = await runOnce(check, options);
  if (first.status !== "fail" && first.status !== "error") return first;
  // Once more, to find out whether it always does.
  const again = await runOnce(check, options);
  return { ...first, runs: 2, ...(again.status === "pass" ? { status: "flaky" } : {}) };
}

async function runOnce<Context extends CheckContext>(
  check: Check<Context>,
  options: RunOptions<Context>,
): Promise<CheckResult> {
  const { id, title, level, rules = [], seen, mend } = check;
  const begin = performance.now();
  const context = options.createContext(check);
  const outcome = await outcomeOf(
    within(
      Promise.resolve().then(() => check.run(context)),
      options.limit,
      options.signal,
    ),
  ).catch(async (error) => {
    await context.close();
    throw error;
  });
  const took = Math.round(performance.now() - begin);
  const about = { id, title, level, rules, ...(seen === undefined ? {} : { seen }), runs: 1, took };
  if (outcome.status === "pass") {
    await context.close();
    return { ...about, status: "pass", exchanged: [] };
  }
  const shown = context.shown?.();
  const stderr = context.stderr();
  const exchanged = keptOf(context.exchanged());
  await context.close();
  return {
    ...about,
    ...outcome,
    ...(outcome.status === "fail" ? { mend } : {}),
    exchanged,
    ...(shown === undefined ? {} : { shown }),
    ...(stderr === "" ? {} : { stderr }),
  };
}

/** What becomes of a run of a check. */
export async function outcomeOf(
  run: Promise<void>,
): Promise<{ readonly status: CheckStatus; readonly reason?: string }> {
  try {
    await run;
    return { status: "pass" };
  } catch (error) {
    // Neither is about this check.
    if (error instanceof RunEnded || isStartError(error)) throw error;
    const reason = cutReason(error instanceof Error ? error.message : String(error));
    if (error instanceof NotApplicable) return { status: "not-applicable", reason };
    if (error instanceof NotReached) return { status: "not-reached", reason };
    // What a check waits for has not come, or an answer was an error: that is what it checks.
    const isFailure = error instanceof CheckFailure || isOfPeer(error);
    return { status: isFailure ? "fail" : "error", reason };
  }
}

/** The beginning and the end of what went over the wire: a peer may flood it. */
function keptOf(exchanged: readonly Exchanged[]): readonly Exchanged[] {
  if (exchanged.length <= keptFirst + keptLast) return exchanged;
  return [...exchanged.slice(0, keptFirst), ...exchanged.slice(-keptLast)];
}

/** A reason quotes what a peer sent, which may be of any length. */
function cutReason(reason: string): string {
  return reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason;
}

/** Whether the checked side is the cause: it did not send what was waited for, or answered with an error. */
function isOfPeer(error: unknown): boolean {
  return (
    error instanceof Error && ["MissingMessageError", "AgentAnswerError", "TurnMismatchError"].includes(error.name)
  );
}

function within(run: Promise<void>, limit: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new RunEnded());
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end);
    const timer = setTimeout(() => {
      // Whatever a check waits for has a limit of its own, so all of it came, slowly.
      reject(new NotReached(`It takes longer than ${limit / 1000} s, though each answer came in time`));
    }, limit);
    run.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    });
  });
}
