import type { Runtime } from "@acp/host";

import { denoFiles } from "./files.ts";
import { startInForeground } from "./foreground.ts";
import { os } from "./os.ts";
import { requireDeno } from "./require-deno.ts";
import { spawnProcess } from "./spawn.ts";
import { withCode } from "./system-errors.ts";

/** Deno, as `@acp/host` needs it. */
export const denoRuntime: Runtime = {
  platform: os === "windows" ? "windows" : "posix",
  caseInsensitivePaths: os === "windows" || os === "darwin",
  environment() {
    requireDeno();
    try {
      return Deno.env.toObject();
    } catch (error) {
      throw withCode(error);
    }
  },
  spawn: spawnProcess,
  startInForeground,
  files: denoFiles,
};
