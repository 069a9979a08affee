import type { GroupSystem } from "./group-system.ts";

/** How long a look at all processes stays valid, in milliseconds: one takes long if there are many. */
const lookHolds = 100;

/** Finds the groups that have a running process. Linux only. */
export class RunningGroups {
  readonly #system: GroupSystem;
  #looks = 0;
  #seen: ReadonlySet<number> | undefined;

  constructor(system: GroupSystem) {
    this.#system = system;
  }

  /** The number of the next look at all processes. */
  get nextLook(): number {
    return this.#looks + 1;
  }

  /**
   * Whether a group has one, or had one a moment ago. True if nobody can tell, and before the look with the number
   * `since`: an earlier one may have missed the processes that the leader has left behind.
   */
  has(group: number, since: number): boolean {
    try {
      const seen = (this.#seen ??= this.#look());
      return this.#looks < since || seen.has(group);
    } catch {
      return true;
    }
  }

  #look(): ReadonlySet<number> {
    this.#looks += 1;
    const seen = new Set<number>();
    for (const stat of this.#system.processStats()) {
      // After the name, which may contain anything: state, parent, group.
      const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state !== "Z" && state !== "X") seen.add(Number(group));
    }
    this.#system.later(() => {
      if (this.#seen === seen) this.#seen = undefined;
    }, lookHolds);
    return seen;
  }
}
