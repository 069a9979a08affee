import { UsageError } from "@acp/core";

/**
 * Refuses a runtime that is older than what its package asks for: npm does not, and there processes would outlive those
 * who started them, or senders would not be held back, without a word. A version that cannot be read is let through.
 * Another runtime has none, and is refused as well.
 *
 * @throws {UsageError}
 */
export function requireVersion(runtime: string, version: string | undefined, minimum: string): void {
  if (version === undefined) throw new UsageError(`${runtime} ${minimum} or newer is needed, this is another runtime`);
  if (!(order(version) < order(minimum))) return;
  throw new UsageError(`${runtime} ${minimum} or newer is needed, this is ${runtime} ${version}`);
}

/** A number that grows with the version; patches and what comes behind them do not count. */
function order(version: string): number {
  const [major, minor] = version.split(".");
  return Number(major) * 1_000 + Number(minor);
}
