import { endWindowsTree, type ForegroundCommand, type ForegroundProcess } from "@acp/host";

import { nodeGroupSystem } from "./group-system.ts";
import { loadProcessModules } from "./process-modules.ts";
import { exitOf, started } from "./spawn.ts";
import { requireArgument, readMember } from "@acp/core/internal";

/** Starts a process with the terminal of this one. Rejects with Node's error if that fails. */
export async function startInForeground(command: ForegroundCommand): Promise<ForegroundProcess> {
  requireArgument(typeof readMember(command, "command") === "string", "startInForeground() takes a command", command);
  const { spawn } = await loadProcessModules();
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: "inherit",
    windowsVerbatimArguments: command.verbatimArguments ?? false,
  });
  const exited = exitOf(child);
  await started(child);
  child.on("error", () => {});
  // Ctrl-C is for the child; with a listener this process lives on.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  void exited.then(() => process.off("SIGINT", ignore));
  return {
    exited,
    signal(name) {
      if (process.platform !== "win32") child.kill(name);
      else if (child.exitCode === null && child.pid !== undefined) endWindowsTree(nodeGroupSystem, child.pid);
    },
  };
}
