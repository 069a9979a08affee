import type { Runtime } from "@acp/host";

import { denoFiles } from "./files.ts";
import { startInForeground } from "./foreground.ts";
import { spawnProcess } from "./spawn.ts";
import { withCode } from "./system-errors.ts";

/** Deno, as `@acp/host` needs it. */
export const denoRuntime: Runtime = {
  platform: Deno.build.os === "windows" ? "windows" : "posix",
  caseInsensitivePaths: Deno.build.os === "windows" || Deno.build.os === "darwin",
  environment() {
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
