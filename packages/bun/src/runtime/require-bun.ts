import { requireVersion } from "@acp/host";

/** @throws {UsageError} on another runtime, and where a reader does not hold its sender back, and stdin cannot be a file: before 1.4. */
export function requireBun(): void {
  requireVersion("Bun", "Bun" in globalThis ? Bun.version : undefined, "1.4");
}
