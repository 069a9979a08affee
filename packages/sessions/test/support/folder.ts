import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

/** A folder for a store, until the test ends. */
export function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "acp-sessions-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
