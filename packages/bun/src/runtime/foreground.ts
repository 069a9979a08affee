import { endWindowsTree, type ForegroundCommand, type ForegroundProcess, type ProcessExit } from "@acp/host";

import { bunGroupSystem } from "./group-system.ts";
import { requireArgument, readMember } from "@acp/core/internal";

/** Starts a process with the terminal of this one. Rejects with Bun's error if that fails. */
export async function startInForeground(command: ForegroundCommand): Promise<ForegroundProcess> {
  requireArgument(typeof readMember(command, "command") === "string", "startInForeground() takes a command", command);
  const child = Bun.spawn({
    cmd: [command.command, ...command.args],
    cwd: command.cwd,
    env: { ...command.env },
    stdio: ["inherit", "inherit", "inherit"],
    windowsVerbatimArguments: command.verbatimArguments ?? false,
  });
  // Ctrl-C is for the child; with a listener this process lives on.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  const exited = child.exited.then((): ProcessExit => {
    process.off("SIGINT", ignore);
    const { exitCode, signalCode } = child;
    return signalCode === null ? { exitCode, signal: null } : { exitCode: null, signal: String(signalCode) };
  });
  return {
    exited,
    signal(name) {
      if (process.platform !== "win32") child.kill(name);
      else if (child.exitCode === null) endWindowsTree(bunGroupSystem, child.pid);
    },
  };
}
