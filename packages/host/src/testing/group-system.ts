import type { GroupSystem } from "../process/group-system.ts";

/** A system of processes for tests of decisions, which writes down what it is asked to do. */
export class FakeGroupSystem implements GroupSystem {
  readonly os: GroupSystem["os"];
  /** Such as `SIGTERM 7`, `run taskkill …`, `guard + 7`. */
  readonly done: string[] = [];
  /** What signalling a group throws, as a code; groups that are not here are fine. */
  readonly codes: Map<number, string> = new Map();
  stats: string[] = [];
  #exitListeners: (() => void)[] = [];
  readonly #later: (() => void)[] = [];
  guardFails: (() => void) | undefined;

  constructor(os: GroupSystem["os"]) {
    this.os = os;
  }

  signalGroup(group: number, signal: "SIGTERM" | "SIGKILL" | 0): void {
    const code = this.codes.get(group);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    if (signal !== 0) this.done.push(`${signal} ${group}`);
  }

  processStats(): Iterable<string> {
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

  later(task: () => void): void {
    this.#later.push(task);
  }

  exit(): void {
    for (const listener of this.#exitListeners) listener();
  }

  /** Runs what was put off. */
  wait(): void {
    for (const task of this.#later.splice(0)) task();
  }
}
