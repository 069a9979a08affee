import type { GroupGuardProgram } from "./group-guard.ts";

/**
 * What the supervision of process groups needs of a runtime. All of it happens at once: where it is used
 * at the exit of this process, there is no time to wait.
 */
export interface GroupSystem {
  readonly os: "linux" | "macos" | "windows" | "other";
  /** POSIX: signals a group; `0` only asks. Throws with the system's `code`: `ESRCH`, `EPERM`. */
  signalGroup(group: number, signal: "SIGTERM" | "SIGKILL" | 0): void;
  /** Linux: what `/proc/<pid>/stat` says of every process. May throw. */
  processStats(): Iterable<string>;
  /** Starts a program without input and output, and waits for its end if that is asked for. Never throws. */
  run(command: string, args: readonly string[], wait: boolean): void;
  /**
   * Starts the guard in a group of its own, without keeping this process alive for it. Its input ends with
   * this process. `failed` is called if the guard does not work, at any time. Never throws.
   */
  startGuard(program: GroupGuardProgram, failed: () => void): GuardInput | undefined;
  /** Calls `listener` at every exit of this process that the runtime can tell of. Returns a function that forgets it. */
  onExit(listener: () => void): () => void;
  /** Calls `task` later, without keeping this process alive for that. */
  later(task: () => void, milliseconds: number): void;
}

/** The stdin of a running guard. Neither function throws. */
export interface GuardInput {
  write(line: string): void;
  end(): void;
}
