import type { Runtime } from "@acp/host";

import { nodeFiles } from "./files.ts";
import { startInForeground } from "./foreground.ts";
import { requireNode } from "./require-node.ts";
import { spawnProcess } from "./spawn.ts";

/** Node, as `@acp/host` needs it. Reads the process late, so that bundles of agents can leave this out. */
export const nodeRuntime: Runtime = {
  get platform() {
    return process.platform === "win32" ? "windows" : "posix";
  },
  get caseInsensitivePaths() {
    return process.platform === "win32" || process.platform === "darwin";
  },
  environment,
  spawn: spawnProcess,
  startInForeground,
  files: nodeFiles,
};

function environment(): Record<string, string> {
  requireNode();
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
