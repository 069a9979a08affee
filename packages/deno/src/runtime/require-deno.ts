import { requireVersion } from "@acp/host";

/** @throws {UsageError} on another runtime, and where Deno cannot start process groups, end them, and tell of signals, all of which came by 2.7. */
export function requireDeno(): void {
  requireVersion("Deno", "Deno" in globalThis ? Deno.version.deno : undefined, "2.7");
}
