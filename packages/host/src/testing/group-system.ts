import type { GroupSystem } from "../process/group-system.ts";

/** A fake process system for tests of decisions; it records its calls. */
export class FakeGroupSystem implements GroupSystem {
  readonly os: GroupSystem["os"];
  /** Such as `SIGTERM 7`, `run taskkill …`, `guard + 7`. */
  readonly done: string[] = [];
  /** The codes of errors from signalling a group; other groups cause no error. */
  readonly codes: Map<number, string> = new Map();
  /** The content of `/proc/<pid>/stat` of each process. */
  stats: string[] = [];
  /** The environments of processes, by pid. */
  readonly environments: Map<number, string> = new Map();
  /** How often the list of processes was read. */
  looks = 0;
  #exitListeners: (() => void)[] = [];
  #now = 0;
  #later: { readonly task: () => void; readonly due: number }[] = [];
  guardFails: (() => void) | undefined;

  constructor(os: GroupSystem["os"]) {
    this.os = os;
  }

  signalGroup(group: number, signal: "SIGTERM" | "SIGKILL" | 0): void {
    const code = this.codes.get(group);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    if (signal !== 0) this.done.push(`${signal} ${group}`);
  }

  signalProcess(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
    this.done.push(`${signal} process ${pid}`);
  }

  processFile: GroupSystem["processFile"] = (pid, name) =>
    name === "environ" ? this.environments.get(pid) : this.stats.find((stat) => stat.startsWith(`${pid} `));

  processStats(): Iterable<string> {
    this.looks += 1;
    return this.stats;
  }

  run(command: string, args: readonly string[], wait: boolean): void {
    this.done.push(`run ${command} ${args.join(" ")}${wait ? " and wait" : ""}`);
  }

  startGuard(_program: unknown, failed: () => void): { write(line: string): void; end(): void } {
    this.done.push("guard begins");
    this.guardFails = failed;
    return {
      write: (line) => this.done.push(`guard ${line.trim()}`),
      end: () => this.done.push("guard ends"),
    };
  }

  onExit(listener: () => void): () => void {
    this.#exitListeners.push(listener);
    return () => {
      this.#exitListeners = this.#exitListeners.filter((each) => each !== listener);
    };
  }

  later(task: () => void, milliseconds: number): () => void {
    const planned = { task, due: this.#now + milliseconds };
    this.#later.push(planned);
    return () => {
      this.#later = this.#later.filter((each) => each !== planned);
    };
  }

  now(): number {
    return this.#now;
  }

  exit(): void {
    for (const listener of this.#exitListeners) listener();
  }

  /** Runs the delayed tasks. */
  wait(): void {
    for (const { task, due } of this.#later.splice(0)) {
      this.#now = Math.max(this.#now, due);
      task();
    }
  }

  /** Lets so many milliseconds pass, and runs the tasks due until then, each at its time. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = this.#later.toSorted((one, other) => one.due - other.due)[0];
      if (next === undefined || next.due > end) break;
      this.#later = this.#later.filter((each) => each !== next);
      this.#now = next.due;
      next.task();
    }
    this.#now = end;
  }
}
