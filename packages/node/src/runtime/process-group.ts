import { readdirSync, readFileSync } from "node:fs";
import { spawn } from "node:child_process";

/** The processes that a child started, itself included. */
export interface ProcessGroup {
  signal(name: "SIGTERM" | "SIGKILL"): void;
  isAlive(): boolean;
}

/** The group that a detached child leads. */
export function posixGroup(leader: number, leaderIsAlive: () => boolean): ProcessGroup {
  // Once a group was seen empty its number may be given to another, so it is never used again.
  let empty = false;
  const send = (signal: NodeJS.Signals | 0): boolean => {
    if (empty) return false;
    try {
      process.kill(-leader, signal);
      return true;
    } catch (error) {
      // macOS answers EPERM if only zombies are left.
      const denied = error instanceof Error && "code" in error && error.code === "EPERM";
      if (denied && process.platform !== "darwin") return true;
      empty = true;
      return false;
    }
  };
  return {
    signal: (name) => void send(name),
    isAlive: () => leaderIsAlive() || (send(0) && !onlyZombies(leader)),
  };
}

/** Windows knows no groups: `taskkill` follows the tree below a child as long as that child lives. */
export function windowsTree(root: number, rootIsAlive: () => boolean): ProcessGroup {
  return {
    signal() {
      if (!rootIsAlive()) return;
      const killer = spawn("taskkill", ["/pid", String(root), "/T", "/F"], { stdio: "ignore", windowsHide: true });
      killer.on("error", () => {});
    },
    isAlive: rootIsAlive,
  };
}

/**
 * Whether all that is left of a group has ended already and only waits for a parent to notice, which
 * never happens in a container whose first process does not care.
 */
function onlyZombies(group: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return readdirSync("/proc").every((name) => !/^\d+$/u.test(name) || !runsInGroup(name, group));
  } catch {
    return false;
  }
}

function runsInGroup(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Behind the name, which may contain anything: state, parent, group.
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(pgrp) === group && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}
