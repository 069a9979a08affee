import { requireVersion } from "@acp/host";

/** @throws {UsageError} where a reader does not hold its sender back, and stdin cannot be a file: before 1.4. */
export function requireBun(): void {
  requireVersion("Bun", Bun.version, "1.4");
}
