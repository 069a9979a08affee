import { errorCode } from "../runtime/error-code.ts";
import type { GroupSystem } from "./group-system.ts";
import type { RunningGroups } from "./running-groups.ts";

/** A child and the processes that it started. */
export interface ProcessGroup {
  /** Signals all of them. Does nothing if there are none. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Whether one of them still runs. */
  isAlive(): boolean;
}

/** The group that a child leads, or on Windows the tree below it. */
export function groupOf(
  system: GroupSystem,
  running: RunningGroups,
  leader: number,
  leaderIsAlive: () => boolean,
): ProcessGroup {
  return system.os === "windows"
    ? windowsTree(system, leader, leaderIsAlive)
    : posixGroup(system, running, leader, leaderIsAlive);
}

function posixGroup(
  system: GroupSystem,
  running: RunningGroups,
  leader: number,
  leaderIsAlive: () => boolean,
): ProcessGroup {
  // The number of an empty group may be given to another, so it is never used again.
  let empty = false;
  let lookSince: number | undefined;
  const send = (signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
    if (empty) return false;
    try {
      system.signalGroup(leader, signal);
      return true;
    } catch (error) {
      // macOS answers EPERM if only zombies are left.
      if (errorCode(error) === "EPERM" && system.os !== "macos") return true;
      empty = true;
      return false;
    }
  };
  // The remaining processes may be zombies, which stay forever in a container whose first process ignores them.
  const hasRunning = (): boolean => {
    lookSince ??= running.nextLook;
    return running.has(leader, lookSince);
  };
  return {
    signal: (name) => void send(name),
    isAlive: () => leaderIsAlive() || (send(0) && (system.os !== "linux" || hasRunning())),
  };
}

/** Windows has no groups: `taskkill` follows the tree below a child as long as that child lives. */
function windowsTree(system: GroupSystem, root: number, rootIsAlive: () => boolean): ProcessGroup {
  return {
    signal() {
      if (rootIsAlive()) endWindowsTree(system, root);
    },
    isAlive: rootIsAlive,
  };
}

/** Windows: ends a process and everything below it: that of a batch file is `cmd.exe`, and its program must end, too. */
export function endWindowsTree(system: Pick<GroupSystem, "run">, root: number, wait = false): void {
  system.run("taskkill", ["/pid", String(root), "/T", "/F"], wait);
}
