import type { Runtime } from "@acp/host";

import { nodeFiles } from "./files.ts";
import { startInForeground } from "./foreground.ts";
import { spawnProcess } from "./spawn.ts";

/** Node, as `@acp/host` needs it. */
export const nodeRuntime: Runtime = {
  platform: process.platform === "win32" ? "windows" : "posix",
  caseInsensitivePaths: process.platform === "win32" || process.platform === "darwin",
  environment,
  spawn: spawnProcess,
  startInForeground,
  files: nodeFiles,
};

function environment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
