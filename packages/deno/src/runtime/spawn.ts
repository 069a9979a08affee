import {
  createProcessGroups,
  type RuntimeCommand,
  type RuntimeProcess,
  openStdin,
  webSink,
  webSource,
} from "@acp/host";

import { exitOf } from "./exit-of.ts";
import { denoGroupSystem, isGuardEnding } from "./group-system.ts";
import { requireDeno } from "./require-deno.ts";
import { coded } from "./system-errors.ts";
import { requireArgument, readMember } from "@acp/core/internal";

const groups = /* @__PURE__ */ createProcessGroups(denoGroupSystem);

/** Starts a process in its own group. Rejects with Deno's error, which has a `code`, if that fails. */
export async function spawnProcess(command: RuntimeCommand): Promise<RuntimeProcess> {
  requireDeno();
  requireArgument(typeof readMember(command, "command") === "string", "spawn() takes a command", command);
  checkPermission();
  const { env, marker } = groups.mark(command.env);
  const child = await coded(() => {
    return new Deno.Command(command.command, {
      args: [...command.args],
      clearEnv: true,
      env: { ...env },
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      stdin: command.stdin === "pipe" ? "piped" : "null",
      stdout: "piped",
      stderr: "piped",
      // On Windows this would open a console window, and take the child out of the job that ends with this process.
      detached: Deno.build.os !== "windows",
      windowsRawArguments: command.verbatimArguments ?? false,
    }).spawn();
  });
  let isAlive = true;
  const exited = exitOf(child).finally(() => (isAlive = false));
  const group = groups.add({ pid: child.pid, isAlive: () => isAlive, exited, marker });
  const [stdout, stderr] = [webSource(child.stdout), webSource(child.stderr)];
  return {
    pid: child.pid,
    ...(command.stdin === "pipe" ? openStdin((unread) => webSink(child.stdin, unread)) : {}),
    stdout,
    stderr,
    exited,
    release() {
      child.unref();
      void stdout.cancel();
      void stderr.cancel();
    },
    noteStarted: () => group.noteStarted(),
    signalGroup: (signal) => group.signal(signal),
    isGroupAlive: () => group.isAlive() || isGuardEnding(),
  };
}

/** Without this permission a process could be started, but not be ended with everything that it started. */
export function checkPermission(): void {
  // Asks the user, if there is one.
  if (Deno.permissions.requestSync({ name: "run" }).state === "granted") return;
  const message =
    "Deno has to be permitted to run programs, and with them to end process groups: run again with the --allow-run flag, without a list of programs";
  throw Object.assign(new Error(message), { code: "ENOTCAPABLE" });
}
