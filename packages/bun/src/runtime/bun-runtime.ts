import type { Runtime } from "@acp/host";

import { bunFiles } from "./files.ts";
import { startInForeground } from "./foreground.ts";
import { requireBun } from "./require-bun.ts";
import { spawnProcess } from "./spawn.ts";

/** Bun, as `@acp/host` needs it. */
export const bunRuntime: Runtime = {
  platform: process.platform === "win32" ? "windows" : "posix",
  caseInsensitivePaths: process.platform === "win32" || process.platform === "darwin",
  environment,
  spawn: spawnProcess,
  startInForeground,
  files: bunFiles,
};

function environment(): Record<string, string> {
  requireBun();
  const entries = Object.entries(Bun.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
