import type { GroupSystem } from "./group-system.ts";
import { readStat, type RunningProcess, type RunningProcesses } from "./running-processes.ts";

/** How many times to look for new processes and kill them too. */
const killRounds = 5;

/** The child that leads a group. */
export interface Leader {
  readonly pid: number;
  isAlive(): boolean;
}

interface Blank {
  readonly look: readonly RunningProcess[];
  readonly since: ReadonlyMap<number, number>;
  readonly hasNew: boolean;
}

/** Finds the processes that a child has started, directly or not, and that have left its group. Linux only. */
export class EscapedProcesses {
  readonly #system: GroupSystem;
  readonly #running: RunningProcesses;
  readonly #leader: Leader;
  readonly #marker: string;
  /** When the leader started; it did not start older processes. */
  readonly #start: number;
  /** The start times of the processes found so far, by pid: their parents may not lead to them later. */
  readonly #known = new Map<number, number>();
  /** Processes that had no variables in a look: when they started, by pid. */
  #blank: Blank = { look: [], since: new Map(), hasNew: false };

  constructor(system: GroupSystem, running: RunningProcesses, leader: Leader, marker: string) {
    this.#system = system;
    this.#running = running;
    this.#leader = leader;
    this.#marker = marker;
    this.#start = this.#statOf(leader.pid)?.start ?? 0;
  }

  /** Whether one of them is among the processes, or may be. */
  isAmong(processes: readonly RunningProcess[], groupIsEmpty: boolean): boolean {
    const mayBe = this.#hasNewBlank(processes);
    return this.#find(processes, groupIsEmpty).length > 0 || mayBe;
  }

  /** Notes those that run. To be called before their parents end. */
  note(groupIsEmpty: boolean): void {
    this.#find(this.#running.recent() ?? [], groupIsEmpty);
  }

  /** Signals all running processes; SIGKILL also reaches those they start meanwhile. */
  signal(name: "SIGTERM" | "SIGKILL", groupIsEmpty: boolean): void {
    const signalled = new Set<string>();
    for (let round = 0; round < (name === "SIGKILL" ? killRounds : 1); round += 1) {
      const processes = (name === "SIGKILL" ? this.#running.look() : this.#running.recent()) ?? [];
      const found = this.#find(processes, groupIsEmpty).filter(({ pid, start }) => !signalled.has(`${pid} ${start}`));
      if (found.length === 0) return;
      for (const process of found) {
        signalled.add(`${process.pid} ${process.start}`);
        this.#signalOne(process, name);
      }
    }
  }

  /** Whether a process has lost its mark since an earlier look: in the next one it may have it again. */
  #hasNewBlank(processes: readonly RunningProcess[]): boolean {
    if (this.#blank.look === processes) return this.#blank.hasNew;
    const since = new Map<number, number>();
    for (const process of processes) {
      if (process.start >= this.#start && this.#running.isBlank(process)) since.set(process.pid, process.start);
    }
    const hasNew = [...since].some(([pid, start]) => this.#blank.since.get(pid) !== start);
    this.#blank = { look: processes, since, hasNew };
    return hasNew;
  }

  #find(processes: readonly RunningProcess[], groupIsEmpty: boolean): readonly RunningProcess[] {
    const children = new Map<number, RunningProcess[]>();
    const left: RunningProcess[] = [];
    for (const process of processes) {
      const siblings = children.get(process.parent);
      if (siblings === undefined) children.set(process.parent, [process]);
      else siblings.push(process);
      if (this.#isOurs(process, groupIsEmpty)) left.push(process);
    }
    const found = new Set(left);
    // A loop over a set also visits values added during the loop.
    for (const { pid } of found) {
      for (const child of children.get(pid) ?? []) if (this.#mayBeOurs(child)) found.add(child);
    }
    const escaped = [...found].filter(({ pid, group }) => group !== this.#leader.pid && pid !== this.#leader.pid);
    this.#known.clear();
    for (const { pid, start } of escaped) this.#known.set(pid, start);
    return escaped;
  }

  /** True if a process belongs to the group, whatever its parent is. */
  #isOurs(process: RunningProcess, groupIsEmpty: boolean): boolean {
    const { pid, group, start } = process;
    if (start < this.#start) return false;
    // An empty group's number may be another's by now.
    if (group === this.#leader.pid) return !groupIsEmpty || (pid === group && this.#leader.isAlive());
    return this.#isMarked(process) ?? this.#known.get(pid) === start;
  }

  /** True if a child of a member is a member, too: not if the variable was emptied on purpose. */
  #mayBeOurs(process: RunningProcess): boolean {
    return process.start >= this.#start && this.#isMarked(process) !== false;
  }

  #isMarked(process: RunningProcess): boolean | undefined {
    return this.#running.markersOf(process)?.includes(this.#marker);
  }

  #signalOne({ pid, start }: RunningProcess, name: "SIGTERM" | "SIGKILL"): void {
    // Its pid may be another's by now.
    if (this.#statOf(pid)?.start !== start) return;
    try {
      this.#system.signalProcess(pid, name);
    } catch {
      // It has ended, or belongs to another user.
    }
  }

  #statOf(pid: number): RunningProcess | undefined {
    const stat = this.#system.processFile?.(pid, "stat");
    return stat === undefined ? undefined : readStat(stat);
  }
}
