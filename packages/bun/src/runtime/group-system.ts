import type { GroupGuardProgram, GroupSystem, GuardInput } from "@acp/host";

import { onExit } from "./on-exit.ts";

const systems: Readonly<Record<string, GroupSystem["os"]>> = { linux: "linux", darwin: "macos", win32: "windows" };

/** Supervises process groups on Bun. */
export const bunGroupSystem: GroupSystem = {
  os: systems[process.platform] ?? "other",
  signalGroup: (group, signal) => void process.kill(-group, signal),
  signalProcess: (pid, signal) => void process.kill(pid, signal),
  processStats,
  processFile,
  run(command, args, wait) {
    try {
      const options = { stdin: "ignore", stdout: "ignore", stderr: "ignore", windowsHide: true } as const;
      // Windows would search a bare name in the working directory first, where anybody may have put a program of that
      // name.
      const program = [`${Bun.env["SystemRoot"] ?? "C:\\Windows"}\\System32\\${command}.exe`, ...args];
      if (wait) Bun.spawnSync(program, options);
      else Bun.spawn(program, options).unref();
    } catch {
      // It cannot be started, and there is nothing else to do.
    }
  },
  startGuard,
  onExit,
  later(task, milliseconds) {
    const timer = setTimeout(task, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
};

function startGuard({ command, args }: GroupGuardProgram, failed: () => void): GuardInput | undefined {
  try {
    const child = Bun.spawn({
      cmd: [command, ...args],
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      cwd: "/",
      env: { PATH: Bun.env["PATH"] },
    });
    child.unref();
    child.stdin.unref();
    void child.exited.then(failed, failed);
    const attempt = (write: () => number | Promise<number>): void => {
      try {
        Promise.resolve(write()).catch(failed);
      } catch {
        failed();
      }
    };
    return {
      write(line) {
        attempt(() => child.stdin.write(line));
        attempt(() => child.stdin.flush());
      },
      end: () => attempt(() => child.stdin.end()),
    };
  } catch {
    return undefined;
  }
}

function* processStats(): Iterable<string> {
  // Loaded when it is needed, as the one of the files is.
  for (const name of process.getBuiltinModule("node:fs").readdirSync("/proc")) {
    const stat = /^\d+$/u.test(name) ? processFile(Number(name), "stat") : undefined;
    if (stat !== undefined) yield stat;
  }
}

function processFile(pid: number, name: "stat" | "environ"): string | undefined {
  try {
    return process.getBuiltinModule("node:fs").readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // It has ended meanwhile, or is another user's.
    return undefined;
  }
}
