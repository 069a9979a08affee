import { UsageError } from "@acp/core";

/**
 * Without the function that compares versions: every agent carries this.
 *
 * @throws {UsageError} on an older Node.js than is tested: before 20 it lacks functions that connections need.
 */
export function requireNode(): void {
  const { node } = process.versions;
  if (Number.parseInt(node) < 20) throw new UsageError(`Node.js 20 or newer is needed, this is Node.js ${node}`);
}
