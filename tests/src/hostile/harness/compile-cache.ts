import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let directory: string | undefined;

/** Where the attacked programs keep what they have compiled: they are started often. */
export function compileCache(): string {
  directory ??= mkdtempSync(join(tmpdir(), "acp-hostile-"));
  return directory;
}

export function removeCompileCache(): void {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  directory = undefined;
}
