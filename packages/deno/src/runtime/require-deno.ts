import { requireVersion } from "@acp/host";

/** @throws {UsageError} where Deno cannot start process groups, end them, and tell of signals, all of which came by 2.7. */
export function requireDeno(): void {
  requireVersion("Deno", Deno.version.deno, "2.7");
}
