import type { GroupGuardProgram } from "./group-guard.ts";

/**
 * The parts of a runtime that the supervision of process groups needs. Everything is synchronous, because it also runs while this
 * process exits.
 */
export interface GroupSystem {
  /** The operating system. */
  readonly os: "linux" | "macos" | "windows" | "other";
  /** POSIX: signals a group; `0` only checks. Throws with the system's `code`: `ESRCH`, `EPERM`. */
  signalGroup(group: number, signal: "SIGTERM" | "SIGKILL" | 0): void;
  /** POSIX: signals one process. Throws as `signalGroup` does. */
  signalProcess(pid: number, signal: "SIGTERM" | "SIGKILL"): void;
  /** Linux: reads `/proc/<pid>/stat` of every process. May throw. */
  processStats(): Iterable<string>;
  /**
   * Linux: reads a file of `/proc/<pid>`; returns `undefined` if the process has ended, or is another user's. Absent where
   * this process may not read there: then nobody finds processes that left the group.
   */
  readonly processFile: ((pid: number, name: "stat" | "environ") => string | undefined) | undefined;
  /**
   * Windows: starts a program of the system, such as `taskkill`, without input and output, and waits for its end if asked
   * to. Never throws.
   */
  run(command: string, args: readonly string[], wait: boolean): void;
  /**
   * Starts the guard in its own group, without keeping this process alive for it. Its input ends with this process.
   * `failed` is called if the guard does not work, at any time. Never throws.
   */
  startGuard(program: GroupGuardProgram, failed: () => void): GuardInput | undefined;
  /** Calls `listener` at every exit of this process that the runtime can observe. Returns a function that removes it. */
  onExit(listener: () => void): () => void;
  /** Calls `task` later, without keeping this process alive for it. Returns a function that prevents it. */
  later(task: () => void, milliseconds: number): () => void;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** The stdin of a running guard. Neither function throws. */
export interface GuardInput {
  /** Writes a line to it. */
  write(line: string): void;
  /** Closes it: the guard ends the remaining groups. */
  end(): void;
}
