import { errorCode } from "../runtime/error-code.ts";
import { EscapedProcesses, type Leader } from "./escaped-processes.ts";
import type { GroupSystem } from "./group-system.ts";
import type { RunningProcesses } from "./running-processes.ts";
import { requireObject } from "@acp/core/internal";

/** A child and the processes that it started. */
export interface ProcessGroup {
  /** Signals all of them. Does nothing if there are none. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Whether one of them still runs. */
  isAlive(): boolean;
  /** Notes the child's processes, since nobody finds them by their parents once those have ended. */
  noteStarted(): void;
}

/** The group that a child leads and the processes that left it, or on Windows the tree below it. */
export function groupOf(
  system: GroupSystem,
  running: RunningProcesses,
  leader: Leader,
  marker: string | undefined,
): ProcessGroup {
  if (system.os === "windows") return windowsTree(system, leader);
  const send = signalsTo(system, leader.pid);
  if (system.os === "linux") return linuxGroup(system, running, { leader, send, marker });
  return { signal: (name) => void send(name), isAlive: () => leader.isAlive() || send(0), noteStarted() {} };
}

/** Signals a group; `0` only checks. Returns whether there still is such a group. */
type Send = (signal: "SIGTERM" | "SIGKILL" | 0) => boolean;

function signalsTo(system: GroupSystem, group: number): Send {
  // The number of an empty group may be given to another, so it is never used again.
  let empty = false;
  return (signal) => {
    if (empty) return false;
    try {
      system.signalGroup(group, signal);
      return true;
    } catch (error) {
      // macOS answers EPERM if only zombies are left.
      if (errorCode(error) === "EPERM" && system.os !== "macos") return true;
      empty = true;
      return false;
    }
  };
}

/** Also knows zombies, which may stay forever in a container whose first process ignores them, and processes that left the group. */
function linuxGroup(
  system: GroupSystem,
  running: RunningProcesses,
  { leader, send, marker }: { readonly leader: Leader; readonly send: Send; readonly marker: string | undefined },
): ProcessGroup {
  const marked = marker === undefined ? undefined : new EscapedProcesses(system, running, leader, marker);
  const escaped = (): EscapedProcesses | undefined => (system.processFile === undefined ? undefined : marked);
  let lookSince: number | undefined;
  return {
    signal(name) {
      // Before their parents end.
      escaped()?.note(!send(0));
      const exists = send(name);
      escaped()?.signal(name, !exists);
    },
    isAlive() {
      if (leader.isAlive()) return true;
      const exists = send(0);
      if (!exists && escaped() === undefined) return false;
      lookSince ??= running.nextLook;
      const processes = running.since(lookSince);
      if (processes === undefined) return exists;
      if (processes === "later") return true;
      if (exists && processes.some(({ group }) => group === leader.pid)) return true;
      return escaped()?.isAmong(processes, !exists) === true;
    },
    noteStarted: () => escaped()?.note(!send(0)),
  };
}

/** Windows has no groups: `taskkill` follows the tree below a child as long as that child lives. */
function windowsTree(system: GroupSystem, root: Leader): ProcessGroup {
  return {
    signal() {
      if (root.isAlive()) endWindowsTree(system, root.pid);
    },
    isAlive: () => root.isAlive(),
    noteStarted() {},
  };
}

/** Windows: ends a process and everything below it: that of a batch file is `cmd.exe`, and its program must end, too. */
export function endWindowsTree(system: Pick<GroupSystem, "run">, root: number, wait = false): void {
  requireObject(system, "endWindowsTree() takes a system first", "run");
  system.run("taskkill", ["/pid", String(root), "/T", "/F"], wait);
}
