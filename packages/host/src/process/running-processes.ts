import type { GroupSystem } from "./group-system.ts";
import { markersIn } from "./process-marker.ts";

/** How long a look at all processes stays valid, in milliseconds: one takes long if there are many. */
const lookHolds = 100;
/** After how long another look may replace it, in milliseconds. */
const lookAgain = 20;

/** A process, as a look has seen it. */
export interface RunningProcess {
  readonly pid: number;
  /** The process that has started it, or another one if that has ended. */
  readonly parent: number;
  readonly group: number;
  /** When it started, in ticks since the system's start. With the pid it is unique: pids are used again. */
  readonly start: number;
}

/** Looks at all running processes; zombies do not count. Linux only. */
export class RunningProcesses {
  readonly #system: GroupSystem;
  #looks = 0;
  #seen: readonly RunningProcess[] | undefined;
  /** When that was. */
  #seenAt = 0;
  /** Read once for all who ask: the processes of each look are new objects. */
  readonly #markers = new WeakMap<RunningProcess, Markers>();

  constructor(system: GroupSystem) {
    this.#system = system;
  }

  /** The number of the next look. */
  get nextLook(): number {
    return this.#looks + 1;
  }

  /**
   * The processes that run, or ran a moment ago. `later` before the look with the number `since`: an earlier one may have missed the
   * processes that a leader has left behind. `undefined` if unknown.
   */
  since(look: number): readonly RunningProcess[] | "later" | undefined {
    const seen = this.#isYounger(lookHolds) ? this.#seen : this.look();
    if (this.#looks >= look) return seen;
    return this.#isYounger(lookAgain) ? "later" : this.look();
  }

  /** The processes that run, or ran an instant ago. `undefined` if unknown. */
  recent(): readonly RunningProcess[] | undefined {
    return this.#isYounger(lookAgain) ? this.#seen : this.look();
  }

  /** The processes that run now. `undefined` if unknown. */
  look(): readonly RunningProcess[] | undefined {
    this.#looks += 1;
    this.#seen = undefined;
    const seen: RunningProcess[] = [];
    try {
      for (const stat of this.#system.processStats()) {
        const process = readStat(stat);
        if (process !== undefined) seen.push(process);
      }
    } catch {
      return undefined;
    }
    this.#seen = seen;
    this.#seenAt = this.#system.now();
    return seen;
  }

  /** Whether the last look was less than so many milliseconds ago. */
  #isYounger(milliseconds: number): boolean {
    return this.#seen !== undefined && this.#system.now() - this.#seenAt < milliseconds;
  }

  /** The ids that mark a process; `undefined` if it has none, or they are unreadable. */
  markersOf(process: RunningProcess): readonly string[] | undefined {
    return this.#read(process).ids;
  }

  /** Whether a process has no variables at all, as is so for a moment while it becomes another program. */
  isBlank(process: RunningProcess): boolean {
    return this.#read(process).isBlank;
  }

  #read(process: RunningProcess): Markers {
    let markers = this.#markers.get(process);
    if (markers === undefined) {
      const environment = this.#system.processFile?.(process.pid, "environ");
      markers = { ids: markersIn(environment ?? ""), isBlank: environment === "" };
      this.#markers.set(process, markers);
    }
    return markers;
  }
}

interface Markers {
  readonly ids: readonly string[] | undefined;
  readonly isBlank: boolean;
}

/** The flag of a kernel thread. */
const kernelThread = 0x20_0000;

/** Reads `/proc/<pid>/stat`; `undefined` for a zombie and for a thread of the kernel. */
export function readStat(stat: string): RunningProcess | undefined {
  // After the name, which may contain anything: state, parent, group, the flags as the 7th, and the start as the 20th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
  const [state, parent, group, , , , flags] = fields;
  if (state === "Z" || state === "X" || (Number(flags) & kernelThread) !== 0) return undefined;
  return { pid: Number.parseInt(stat, 10), parent: Number(parent), group: Number(group), start: Number(fields[19]) };
}
