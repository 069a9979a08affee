import { spawn, spawnSync, type ChildProcess } from "node:child_process";

import { groupGuard } from "@acp/host";

/** Groups that must not outlive this process. */
const groups = new Set<number>();
let guard: ChildProcess | undefined;

/** Sees to it that a group ends with this process. Returns a function that forgets it. */
export function endWithThisProcess(group: number): () => void {
  if (groups.size === 0) begin();
  groups.add(group);
  guard?.stdin?.write(groupGuard.watch(group));
  return () => {
    if (!groups.delete(group)) return;
    guard?.stdin?.write(groupGuard.forget(group));
    if (groups.size === 0) end();
  };
}

function begin(): void {
  process.on("exit", endAll);
  if (process.platform !== "win32") guard = startGuard();
}

function end(): void {
  process.off("exit", endAll);
  guard?.stdin?.end();
  guard = undefined;
}

/** The last chance on every exit but those by a signal; the guard sees to what does not end by itself then. */
function endAll(): void {
  for (const group of groups) {
    if (process.platform === "win32") {
      spawnSync("taskkill", ["/pid", String(group), "/T", "/F"], { stdio: "ignore", windowsHide: true });
      continue;
    }
    try {
      process.kill(-group, guard === undefined ? "SIGKILL" : "SIGTERM");
    } catch {
      // It is gone.
    }
  }
}

/** Starts the guard, without keeping this process alive for it. Where there is no shell, exits are all there is. */
function startGuard(): ChildProcess {
  const child = spawn(groupGuard.command, groupGuard.args, {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
    env: { PATH: process.env["PATH"] },
  });
  const failed = (): void => {
    if (guard === child) guard = undefined;
  };
  child.on("error", failed);
  child.stdin.on("error", failed);
  child.unref();
  if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref();
  return child;
}
