import { groupGuard } from "./group-guard.ts";
import type { GroupSystem, GuardInput } from "./group-system.ts";
import { endWindowsTree, groupOf, type ProcessGroup } from "./process-group.ts";
import { markEnvironment, type MarkedEnvironment } from "./process-marker.ts";
import { RunningProcesses } from "./running-processes.ts";
import { requireObject } from "@acp/core/internal";

/** The process groups of this process's children. None of them outlives this process. */
export interface ProcessGroups {
  /**
   * The environment for a child to be started, with an id by which Linux finds the processes that leave its group. To be
   * passed to `add` then.
   */
  mark(env: Readonly<Record<string, string>>): MarkedEnvironment;
  /**
   * Adds the group of a child that was just started. It is watched until it was seen empty: a leader may leave processes
   * behind.
   */
  add(child: StartedChild): ProcessGroup;
}

/** A child that leads a group. */
export interface StartedChild {
  readonly pid: number;
  /** Whether the child itself runs. */
  isAlive(): boolean;
  /** Settles when the child itself has ended. Never rejects. */
  readonly exited: Promise<unknown>;
  /** The id in its environment. */
  readonly marker: string | undefined;
}

/** Creates the process groups of a runtime: one for the whole process. */
export function createProcessGroups(system: GroupSystem): ProcessGroups {
  requireObject(system, "createProcessGroups() takes a system", "signalGroup", "later");
  const live = new LiveGroups(system);
  const running = new RunningProcesses(system);
  const rounds = new Rounds(system);
  return {
    mark: (env) => (system.os === "linux" ? markEnvironment(env) : { env, marker: undefined }),
    add(child) {
      const { pid, marker, exited } = child;
      const processes = groupOf(system, running, child, marker);
      let pause = 50;
      let stopCheck = (): void => {};
      const group: ProcessGroup = {
        ...processes,
        isAlive() {
          const isAlive = processes.isAlive();
          // Once the group has ended, stop watching it and clear its timer.
          if (!isAlive) {
            stopCheck();
            live.remove(pid);
          }
          return isAlive;
        },
      };
      live.add(pid, { group, marker });
      const check = (): void => {
        if (!group.isAlive()) return;
        pause = Math.min(pause * 2, 5_000);
        stopCheck = rounds.add(check, pause);
      };
      void exited.then(check);
      return group;
    },
  };
}

/** Delayed checks. Those with the same delay run together, so that they share one look at all processes. */
class Rounds {
  readonly #system: GroupSystem;
  readonly #rounds = new Map<number, Round>();

  constructor(system: GroupSystem) {
    this.#system = system;
  }

  /** Runs a check after a delay, in milliseconds, at the latest. Returns a function that prevents it. */
  add(check: () => void, pause: number): () => void {
    const round = this.#rounds.get(pause) ?? this.#start(pause);
    round.checks.add(check);
    return () => {
      if (!round.checks.delete(check) || round.checks.size > 0) return;
      round.stop();
      if (this.#rounds.get(pause) === round) this.#rounds.delete(pause);
    };
  }

  #start(pause: number): Round {
    const checks = new Set<() => void>();
    const stop = this.#system.later(() => {
      this.#rounds.delete(pause);
      for (const check of checks) check();
    }, pause);
    const round = { checks, stop };
    this.#rounds.set(pause, round);
    return round;
  }
}

interface Round {
  readonly checks: Set<() => void>;
  readonly stop: () => void;
}

interface LiveGroup {
  readonly group: ProcessGroup;
  readonly marker: string | undefined;
}

/** Groups that must not outlive this process: the guard watches them. */
class LiveGroups {
  readonly #system: GroupSystem;
  /** By the pid of the leader. */
  readonly #groups = new Map<number, LiveGroup>();
  #guard: GuardInput | undefined;
  #stopListening = (): void => {};

  constructor(system: GroupSystem) {
    this.#system = system;
  }

  add(leader: number, group: LiveGroup): void {
    if (this.#groups.size === 0) this.#stopListening = this.#system.onExit(() => this.#endAll());
    this.#groups.set(leader, group);
    if (this.#guard === undefined) this.#startGuard();
    else this.#guard.write(groupGuard.watch(leader, group.marker));
  }

  remove(leader: number): void {
    const group = this.#groups.get(leader);
    if (group === undefined) return;
    this.#groups.delete(leader);
    this.#guard?.write(groupGuard.forget(leader, group.marker));
    if (this.#groups.size === 0) this.#end();
  }

  /** Also replaces one that has ended: a user may have killed it, or the system for lack of memory. */
  #startGuard(): void {
    if (this.#system.os === "windows") return;
    // Without a shell, only exits are handled.
    const guard = this.#system.startGuard(groupGuard, () => {
      if (this.#guard === guard) this.#guard = undefined;
    });
    this.#guard = guard;
    for (const [leader, { marker }] of this.#groups) guard?.write(groupGuard.watch(leader, marker));
  }

  #end(): void {
    this.#stopListening();
    this.#guard?.end();
    this.#guard = undefined;
  }

  /** The last chance on every exit except by a signal; the guard ends the processes that remain. */
  #endAll(): void {
    for (const [leader, { group }] of this.#groups) {
      if (this.#system.os === "windows") endWindowsTree(this.#system, leader, true);
      else group.signal(this.#guard === undefined ? "SIGKILL" : "SIGTERM");
    }
  }
}
