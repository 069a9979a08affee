import { endWindowsTree, type ForegroundCommand, type ForegroundProcess } from "@acp/host";

import { exitOf } from "./exit-of.ts";
import { denoGroupSystem } from "./group-system.ts";
import { os } from "./os.ts";
import { checkPermission } from "./spawn.ts";
import { coded } from "./system-errors.ts";
import { requireArgument, readMember } from "@acp/core/internal";

/** Starts a process with the terminal of this one. Rejects with Deno's error, which has a `code`, if that fails. */
export async function startInForeground(command: ForegroundCommand): Promise<ForegroundProcess> {
  requireArgument(typeof readMember(command, "command") === "string", "startInForeground() takes a command", command);
  checkPermission();
  const child = await coded(() => {
    return new Deno.Command(command.command, {
      args: [...command.args],
      clearEnv: true,
      env: { ...command.env },
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
      windowsRawArguments: command.verbatimArguments ?? false,
    }).spawn();
  });
  // Ctrl-C is for the child; with a listener this process lives on.
  const ignore = (): void => {};
  Deno.addSignalListener("SIGINT", ignore);
  let hasEnded = false;
  const exited = exitOf(child).finally(() => {
    hasEnded = true;
    Deno.removeSignalListener("SIGINT", ignore);
  });
  return {
    exited,
    signal(name) {
      if (hasEnded) return;
      if (os === "windows") endWindowsTree(denoGroupSystem, child.pid);
      else child.kill(name);
    },
  };
}
