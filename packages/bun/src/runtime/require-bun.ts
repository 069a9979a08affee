import { requireVersion } from "@acp/host";

/**
 * @throws {UsageError} on another runtime, and before Bun 1.4, where a reader does not slow down its sender and stdin
 * cannot be a file.
 */
export function requireBun(): void {
  requireVersion("Bun", "Bun" in globalThis ? Bun.version : undefined, "1.4");
}
