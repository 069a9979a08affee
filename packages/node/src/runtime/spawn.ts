import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";

import {
  createProcessGroups,
  nodeSink,
  nodeSource,
  type ProcessExit,
  type ProcessGroup,
  type RuntimeCommand,
  type RuntimeProcess,
  type RuntimeSource,
  openStdin,
} from "@acp/host";

import { nodeGroupSystem } from "./group-system.ts";
import { loadProcessModules } from "./process-modules.ts";
import { requireNode } from "./require-node.ts";
import { requireArgument, readMember } from "@acp/core/internal";

const groups = /* @__PURE__ */ createProcessGroups(nodeGroupSystem);

/** Starts a process in its own group. Rejects with Node's error if that fails. */
export async function spawnProcess(command: RuntimeCommand): Promise<RuntimeProcess> {
  requireNode();
  requireArgument(typeof readMember(command, "command") === "string", "spawn() takes a command", command);
  const windows = process.platform === "win32";
  const { spawn } = await loadProcessModules();
  const { env, marker } = groups.mark(command.env);
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env,
    stdio: [command.stdin === "pipe" ? "pipe" : "ignore", "pipe", "pipe"],
    // On Windows this would open a console window, and take the child out of the job that ends with this process.
    detached: !windows,
    windowsHide: true,
    windowsVerbatimArguments: command.verbatimArguments ?? false,
  });
  const exited = exitOf(child);
  await started(child);
  child.on("error", () => {});

  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) throw new Error("The process has no pipes");
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const group = groups.add({ pid, isAlive, exited, marker });
  return describe({ pid, stdin: child.stdin, stdout, stderr, exited, group });
}

function describe(parts: {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ProcessExit>;
  readonly group: ProcessGroup;
}): RuntimeProcess {
  const { stdin } = parts;
  return {
    pid: parts.pid,
    ...(stdin === null ? {} : openStdin((unread) => nodeSink(stdin, unread))),
    stdout: heldSource(parts.stdout),
    stderr: nodeSource(parts.stderr),
    exited: parts.exited,
    release() {
      parts.stdout.destroy();
      parts.stderr.destroy();
    },
    noteStarted: () => parts.group.noteStarted(),
    signalGroup: (signal) => parts.group.signal(signal),
    isGroupAlive: () => parts.group.isAlive(),
  };
}

/** Prevents Node from discarding the output of a process that ends before somebody reads it. */
function heldSource(readable: Readable): RuntimeSource {
  const source = nodeSource(readable);
  const hold = (): void => {};
  readable.on("readable", hold);
  return {
    ...source,
    start(sink) {
      readable.off("readable", hold);
      source.start(sink);
    },
  };
}

/** Resolves once a child runs; rejects with its `error` event. */
export function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}

/** How a child ends. */
export function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}
