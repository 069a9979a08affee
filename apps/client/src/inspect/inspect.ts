import { runInspect } from "@acp/inspect/program";

import type { RunCommand } from "../cli/command.ts";

export const run: RunCommand = async (args) => {
  const exitCode = await runInspect(args, "acp inspect");
  // Does not wait for a log or a stdout that nobody reads.
  process.exit(exitCode);
};
