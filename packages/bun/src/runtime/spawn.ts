import { createProcessGroups, type ProcessExit, type RuntimeCommand, type RuntimeProcess, openStdin } from "@acp/host";

import { fileSink } from "./file-sink.ts";
import { bunGroupSystem } from "./group-system.ts";
import { requireBun } from "./require-bun.ts";
import { turningSource } from "./turning-source.ts";
import { requireArgument, readMember } from "@acp/core/internal";

const groups = /* @__PURE__ */ createProcessGroups(bunGroupSystem);

/** Starts a process in its own group. Rejects with Bun's error if that fails. */
export async function spawnProcess(command: RuntimeCommand): Promise<RuntimeProcess> {
  requireBun();
  requireArgument(typeof readMember(command, "command") === "string", "spawn() takes a command", command);
  const { env, marker } = groups.mark(command.env);
  const child = Bun.spawn({
    cmd: [command.command, ...command.args],
    cwd: command.cwd,
    env: { ...env },
    stdin: command.stdin === "pipe" ? "pipe" : "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // On Windows this would open a console window, and take the child out of the job that ends with this process.
    detached: process.platform !== "win32",
    windowsHide: true,
    windowsVerbatimArguments: command.verbatimArguments ?? false,
  });
  const exited = child.exited.then((): ProcessExit => {
    const { exitCode, signalCode } = child;
    return signalCode === null ? { exitCode, signal: null } : { exitCode: null, signal: String(signalCode) };
  });
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const group = groups.add({ pid: child.pid, isAlive, exited, marker });
  const { stdin } = child;
  const [stdout, stderr] = [turningSource(child.stdout), turningSource(child.stderr)];
  return {
    pid: child.pid,
    ...(stdin === undefined ? {} : openStdin((unread) => fileSink(stdin, unread))),
    stdout,
    stderr,
    exited,
    release() {
      void stdout.cancel();
      void stderr.cancel();
    },
    noteStarted: () => group.noteStarted(),
    signalGroup: (signal) => group.signal(signal),
    isGroupAlive: () => group.isAlive(),
  };
}
