import { UsageError } from "@acp/core";

/**
 * Refuses a runtime that is older than its package requires. npm does not check that, and on an old one processes would
 * silently outlive their parents, or senders would not be slowed down. A version that cannot be read is accepted. Another
 * runtime has none, and is refused as well.
 *
 * @throws {UsageError}
 */
export function requireVersion(runtime: string, version: string | undefined, minimum: string): void {
  if (version === undefined) throw new UsageError(`${runtime} ${minimum} or newer is needed, this is another runtime`);
  if (!(order(version) < order(minimum))) return;
  throw new UsageError(`${runtime} ${minimum} or newer is needed, this is ${runtime} ${version}`);
}

/** Returns a number that grows with the version; patches do not count. */
function order(version: unknown): number {
  const [major, minor] = String(version).split(".");
  return Number(major) * 1_000 + Number(minor);
}
