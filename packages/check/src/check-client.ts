import { clientChecks } from "./client/checks/index.ts";
import { createClientContext } from "./client/client-context.ts";
import type { ClientSettings } from "./client/client-settings.ts";
import { NotStartedError } from "./engine/not-started.ts";
import { runChecks } from "./engine/run-checks.ts";
import { selectChecks } from "./engine/select-checks.ts";
import type { CheckReport, CheckResult } from "./engine/result.ts";
import { checksOfSet, nextSet } from "./sets/index.ts";
import { requireArgument, requireObject } from "@acp/core/internal";

/** Options of {@link checkClient}. */
export interface CheckClientOptions extends ClientSettings {
  /** The set of checks: a month such as `2026-11`, or `next`, which has all. Default: `next`. */
  readonly set?: string | undefined;
  /** Ids of checks, rules, areas of rules, or levels. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** How many checks run at the same time. Default: 2. */
  readonly jobs?: number | undefined;
  /** Called with each result, in order. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
  /** Called whenever a check is done, with how many are. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks a client: starts it anew for each check, with a scripted agent as its agent.
 *
 * @throws {ProcessStartError} if it cannot be started.
 * @throws {NotStartedError} if it ends by itself before it starts its agent.
 */
export async function checkClient(options: CheckClientOptions): Promise<CheckReport> {
  requireObject(options, "checkClient() takes options");
  requireArgument(
    Array.isArray(options.command),
    "checkClient() takes a command: its words in a list",
    options.command,
  );
  const { command, protocol, timeout, only, jobs = 2, set = nextSet, onResult, onProgress, signal } = options;
  const begin = performance.now();
  await requireRunning(options);
  const results = await runChecks({
    checks: selectChecks(checksOfSet(clientChecks, set), { only, protocol }),
    createContext: () => createClientContext(options),
    jobs,
    limit: 4 * timeout,
    onResult,
    onProgress,
    signal,
  });
  const target = command.join(" ");
  const took = Math.round(performance.now() - begin);
  return { format: 1, side: "client", target, protocol, set, seed: options.seed, took, results };
}

/** A client that ends without having started its agent leaves nothing to check. */
async function requireRunning(options: CheckClientOptions): Promise<void> {
  const context = createClientContext(options);
  const end = (): void => void context.close();
  options.signal?.addEventListener("abort", end);
  try {
    const { program, process } = await context.play([]);
    const isStarted = await process().then(
      () => true,
      () => false,
    );
    const ended = isStarted ? undefined : await Promise.race([program.exited, Promise.resolve(undefined)]);
    if (ended !== undefined && options.signal?.aborted !== true)
      throw new NotStartedError("client", ended, program.stderr());
  } finally {
    options.signal?.removeEventListener("abort", end);
    await context.close();
  }
}
