import type { GroupGuardProgram, GroupSystem, GuardInput } from "@acp/host";

import { later } from "./later.ts";
import { os } from "./os.ts";

const systems: Readonly<Record<string, GroupSystem["os"]>> = { linux: "linux", darwin: "macos", windows: "windows" };

/** Supervises process groups on Deno. */
export const denoGroupSystem: GroupSystem = {
  os: systems[os] ?? "other",
  signalGroup: (group, signal) => Deno.kill(-group, signal),
  signalProcess: (pid, signal) => Deno.kill(pid, signal),
  processStats,
  get processFile() {
    return mayReadProcesses() ? processFile : undefined;
  },
  run(command, args, wait) {
    try {
      // Not another program of that name on PATH.
      const file = `${Deno.env.get("SystemRoot") ?? "C:\\Windows"}\\System32\\${command}.exe`;
      const program = new Deno.Command(file, { args: [...args], stdin: "null", stdout: "null", stderr: "null" });
      if (wait) program.outputSync();
      else program.spawn().unref();
    } catch {
      // It cannot be started, and there is nothing else to do.
    }
  },
  startGuard,
  onExit(listener) {
    globalThis.addEventListener("unload", listener);
    return () => globalThis.removeEventListener("unload", listener);
  },
  later,
  now: () => performance.now(),
};

/** How many guards were asked to end, and have not yet. */
let ending = 0;

/**
 * Whether a guard still runs that was asked to end. Deno's tests report a process that a test leaves behind as a leak.
 */
export function isGuardEnding(): boolean {
  return ending > 0;
}

function startGuard({ command, args }: GroupGuardProgram, failed: () => void): GuardInput | undefined {
  try {
    const child = new Deno.Command(command, {
      args: [...args],
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached: true,
      cwd: "/",
      clearEnv: true,
      env: guardEnvironment(),
    }).spawn();
    child.unref();
    void child.status.then(failed, failed);
    const writer = child.stdin.getWriter();
    const encoder = new TextEncoder();
    return {
      write: (line) => void writer.write(encoder.encode(line)).catch(failed),
      end() {
        const ended = (): void => void (ending -= 1);
        ending += 1;
        child.ref();
        child.status.then(ended, ended);
        writer.close().catch(() => {});
      },
    };
  } catch {
    return undefined;
  }
}

/** Without the mark of this process: whoever ends it with all that it has started must leave the guard its time. */
function guardEnvironment(): Record<string, string> {
  try {
    const path = Deno.env.get("PATH");
    return path === undefined ? {} : { PATH: path };
  } catch {
    // It may not be read.
    return {};
  }
}

/** Deno reads `/proc` only with every permission; a program may read it with any. */
function processStats(): Iterable<string> {
  return mayReadProcesses() ? readStats() : listedStats();
}

function mayReadProcesses(): boolean {
  return (["read", "write", "net", "env", "sys", "run", "ffi"] as const).every(
    (name) => Deno.permissions.querySync({ name }).state === "granted",
  );
}

function* readStats(): Iterable<string> {
  for (const { name } of Deno.readDirSync("/proc")) {
    const stat = /^\d+$/u.test(name) ? processFile(Number(name), "stat") : undefined;
    if (stat !== undefined) yield stat;
  }
}

function processFile(pid: number, name: "stat" | "environ"): string | undefined {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${name}`);
  } catch {
    // It has ended meanwhile, or is another user's.
    return undefined;
  }
}

function listedStats(): string[] {
  const list = new Deno.Command("/bin/sh", {
    args: ["-c", "cat /proc/[0-9]*/stat 2>/dev/null"],
    stdin: "null",
    stderr: "null",
  }).outputSync();
  return new TextDecoder().decode(list.stdout).split(/\n(?=\d+ \()/u);
}
