import { groupGuard } from "./group-guard.ts";
import type { GroupSystem, GuardInput } from "./group-system.ts";
import { endWindowsTree, groupOf, type ProcessGroup } from "./process-group.ts";
import { RunningGroups } from "./running-groups.ts";

/** The process groups of this process's children. None of them outlives this process. */
export interface ProcessGroups {
  /**
   * Adds the group of a child that was just started. It is watched until it was seen empty: a leader may leave processes
   * behind.
   */
  add(leader: number, leaderIsAlive: () => boolean, exited: Promise<unknown>): ProcessGroup;
}

/** Creates the process groups of a runtime: one for the whole process. */
export function createProcessGroups(system: GroupSystem): ProcessGroups {
  const live = new LiveGroups(system);
  const running = new RunningGroups(system);
  const rounds = new Rounds(system);
  return {
    add(leader, leaderIsAlive, exited) {
      const group = groupOf(system, running, leader, leaderIsAlive);
      live.add(leader);
      let pause = 50;
      const check = (): void => {
        if (!group.isAlive()) return live.remove(leader);
        pause = Math.min(pause * 2, 5_000);
        rounds.add(check, pause);
      };
      void exited.then(check);
      return group;
    },
  };
}

/** Delayed checks. Those with the same delay run together, so that they share one look at all processes. */
class Rounds {
  readonly #system: GroupSystem;
  readonly #rounds = new Map<number, (() => void)[]>();

  constructor(system: GroupSystem) {
    this.#system = system;
  }

  /** Runs a check after a delay, in milliseconds, at the latest. */
  add(check: () => void, pause: number): void {
    const round = this.#rounds.get(pause);
    if (round !== undefined) return void round.push(check);
    const checks = [check];
    this.#rounds.set(pause, checks);
    this.#system.later(() => {
      this.#rounds.delete(pause);
      for (const each of checks) each();
    }, pause);
  }
}

/** Groups that must not outlive this process: the guard watches them. */
class LiveGroups {
  readonly #system: GroupSystem;
  readonly #groups = new Set<number>();
  #guard: GuardInput | undefined;
  #stopListening = (): void => {};

  constructor(system: GroupSystem) {
    this.#system = system;
  }

  add(group: number): void {
    if (this.#groups.size === 0) this.#stopListening = this.#system.onExit(() => this.#endAll());
    this.#groups.add(group);
    if (this.#guard === undefined) this.#startGuard();
    else this.#guard.write(groupGuard.watch(group));
  }

  remove(group: number): void {
    if (!this.#groups.delete(group)) return;
    this.#guard?.write(groupGuard.forget(group));
    if (this.#groups.size === 0) this.#end();
  }

  /** Also replaces one that has ended: somebody may have killed it, or the system when memory was short. */
  #startGuard(): void {
    if (this.#system.os === "windows") return;
    // Without a shell, only exits are handled.
    const guard = this.#system.startGuard(groupGuard, () => {
      if (this.#guard === guard) this.#guard = undefined;
    });
    this.#guard = guard;
    for (const group of this.#groups) guard?.write(groupGuard.watch(group));
  }

  #end(): void {
    this.#stopListening();
    this.#guard?.end();
    this.#guard = undefined;
  }

  /** The last chance on every exit except by a signal; the guard ends what does not end by itself. */
  #endAll(): void {
    for (const group of this.#groups) {
      if (this.#system.os === "windows") {
        endWindowsTree(this.#system, group, true);
        continue;
      }
      try {
        this.#system.signalGroup(group, this.#guard === undefined ? "SIGKILL" : "SIGTERM");
      } catch {
        // It is gone.
      }
    }
  }
}
