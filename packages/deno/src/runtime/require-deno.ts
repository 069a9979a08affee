import { requireVersion } from "@acp/host";

/**
 * @throws {UsageError} on another runtime, and on an older Deno than is tested: before 2.7 process groups could not be
 * ended, and agents that have stopped serving did not end on the first ones of 2.7.
 */
export function requireDeno(): void {
  requireVersion("Deno", "Deno" in globalThis ? Deno.version.deno : undefined, "2.8");
}
