import type { Writable } from "node:stream";

import type { GroupGuardProgram, GroupSystem, GuardInput } from "@acp/host";

import { onExit } from "./on-exit.ts";
import { processModules } from "./process-modules.ts";
import { unref } from "./unref.ts";

const systems: Readonly<Record<string, GroupSystem["os"]>> = { linux: "linux", darwin: "macos", win32: "windows" };

/** Supervises process groups on Node. */
export const nodeGroupSystem: GroupSystem = {
  get os() {
    return systems[process.platform] ?? "other";
  },
  signalGroup: (group, signal) => void process.kill(-group, signal),
  signalProcess: (pid, signal) => void process.kill(pid, signal),
  processStats,
  processFile,
  run(command, args, wait) {
    const { spawn, spawnSync } = processModules();
    const options = { stdio: "ignore", windowsHide: true } as const;
    // Windows would search a bare name in the working directory first, where anybody may have put a program of that name.
    const program = `${process.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\${command}.exe`;
    if (wait) spawnSync(program, args, options);
    else spawn(program, args, options).on("error", () => {});
  },
  startGuard,
  onExit,
  later(task, milliseconds) {
    const timer = setTimeout(task, milliseconds);
    unref(timer);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};

function startGuard({ command, args }: GroupGuardProgram, failed: () => void): GuardInput | undefined {
  try {
    const child = processModules().spawn(command, args, {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      cwd: "/",
      env: { PATH: process.env["PATH"] },
    });
    child.on("error", failed);
    child.on("exit", failed);
    // If this process has too many open files there is none, whatever the type says.
    const stdin: Writable | undefined = child.stdin;
    if (stdin === undefined) return undefined;
    stdin.on("error", failed);
    child.unref();
    unref(stdin);
    return { write: (line) => void stdin.write(line), end: () => void stdin.end() };
  } catch {
    return undefined;
  }
}

function* processStats(): Iterable<string> {
  for (const name of processModules().readdirSync("/proc")) {
    const stat = /^\d+$/u.test(name) ? processFile(Number(name), "stat") : undefined;
    if (stat !== undefined) yield stat;
  }
}

function processFile(pid: number, name: "stat" | "environ"): string | undefined {
  try {
    return processModules().readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // It has ended meanwhile, or is another user's.
    return undefined;
  }
}
