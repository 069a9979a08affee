import { type Profiler, Session } from "node:inspector";

/** Tells which ways through the code of a target were taken, as the engine counts them. */
export class Coverage {
  readonly #session = new Session();
  readonly #covers: readonly string[];
  readonly #seen = new Set<string>();

  /** `covers`: parts of the paths of the files that count. */
  constructor(covers: readonly string[]) {
    this.#covers = covers;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** How many ways were seen so far. */
  get size(): number {
    return this.#seen.size;
  }

  /** Forgets what has run since the last look. */
  skip(): void {
    this.#take();
  }

  /** How many ways have been taken since the last look that no look has seen before. */
  look(): number {
    const before = this.#seen.size;
    for (const { url, functions } of this.#take()) {
      if (!this.#covers.some((part) => url.includes(part))) continue;
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          // A loop that runs often takes another way than one that runs once.
          if (count > 0) this.#seen.add(`${url} ${startOffset} ${endOffset} ${Math.ceil(Math.log2(count))}`);
        }
      }
    }
    return this.#seen.size - before;
  }

  close(): void {
    this.#session.disconnect();
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    // It calls back at once.
    this.#session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error !== null) throw error;
      scripts = result;
    });
    return scripts;
  }
}
