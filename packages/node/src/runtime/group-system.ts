import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

import type { GroupSystem } from "@acp/host";

const systems: Readonly<Record<string, GroupSystem["os"]>> = { linux: "linux", darwin: "macos", win32: "windows" };

/** How process groups are supervised on Node. */
export const nodeGroupSystem: GroupSystem = {
  get os() {
    return systems[process.platform] ?? "other";
  },
  signalGroup: (group, signal) => void process.kill(-group, signal),
  processStats,
  run(command, args, wait) {
    const options = { stdio: "ignore", windowsHide: true } as const;
    if (wait) spawnSync(command, args, options);
    else spawn(command, args, options).on("error", () => {});
  },
  startGuard({ command, args }, failed) {
    const child = spawn(command, args, {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      cwd: "/",
      env: { PATH: process.env["PATH"] },
    });
    child.on("error", failed);
    child.stdin.on("error", failed);
    child.unref();
    unref(child.stdin);
    return { write: (line) => void child.stdin.write(line), end: () => void child.stdin.end() };
  },
  onExit(listener) {
    process.on("exit", listener);
    return () => void process.off("exit", listener);
  },
  later: (task, milliseconds) => void setTimeout(task, milliseconds).unref(),
};

function* processStats(): Iterable<string> {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    try {
      yield readFileSync(`/proc/${name}/stat`, "latin1");
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** A pipe to a child is a socket, which its type does not tell. */
function unref(stdin: ChildProcess["stdin"]): void {
  if (stdin !== null && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
}
