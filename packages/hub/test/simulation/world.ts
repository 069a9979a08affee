import process from "node:process";

import { Random } from "./random.ts";

interface Planned {
  readonly time: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/** How many lines of the trace are kept. */
const traceLines = 150;

/** Everything that happens, one step after another, in an order that one seed decides. */
export class World {
  readonly random: Random;
  /** In milliseconds. */
  now = 0;
  /** The steps so far. */
  steps = 0;
  /** What was found first. */
  violation: string | undefined;
  readonly #trace: (readonly [time: number, line: string])[] = [];
  readonly #planned: Planned[] = [];
  readonly #names = new Map<string, string>();
  #order = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** Plans a step. Returns what cancels it. */
  after(milliseconds: number, run: () => void): () => void {
    this.#order += 1;
    const planned: Planned = { time: this.now + Math.max(0, milliseconds), order: this.#order, run };
    this.#push(planned);
    return () => {
      planned.run = undefined;
    };
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** Runs until a time, or until something is found. */
  async runUntil(end: number): Promise<void> {
    for (let next = this.#planned[0]; next !== undefined && next.time <= end; next = this.#planned[0]) {
      this.#pop();
      if (next.run === undefined) continue;
      this.now = next.time;
      this.steps += 1;
      next.run();
      await settleMicrotasks(this.steps);
      if (this.violation !== undefined) return;
    }
    this.now = end;
  }

  /** A line of the trace. */
  say(line: string): void {
    if (this.#trace.length >= 2 * traceLines) this.#trace.splice(0, traceLines);
    this.#trace.push([this.now, line]);
  }

  /** Something that must never be. */
  fail(message: string): void {
    if (this.violation !== undefined) return;
    this.violation = this.#named(message);
    this.say(`VIOLATION ${message}`);
  }

  /** The end of the trace, with ids as short names that are the same each time. */
  lastLines(): readonly string[] {
    const lines = this.#trace.slice(-traceLines);
    return lines.map(([time, line]) => `${(time / 1000).toFixed(3).padStart(8)}  ${this.#named(line)}`);
  }

  #named(line: string): string {
    return line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, (id) => this.#nameOf(id));
  }

  #nameOf(id: string): string {
    const name = this.#names.get(id) ?? `#${this.#names.size + 1}`;
    this.#names.set(id, name);
    return name;
  }

  #push(planned: Planned): void {
    const heap = this.#planned;
    let index = heap.push(planned) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(heap[parent]!, planned)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = planned;
  }

  #pop(): void {
    const heap = this.#planned;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (isBefore(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}

/** Lets everything happen that follows in this moment. From time to time, the program around the simulation has its turn, too. */
function settleMicrotasks(steps: number): Promise<void> {
  return new Promise((resolve) => (steps % 1000 === 0 ? setImmediate(resolve) : process.nextTick(resolve)));
}

function isBefore(a: Planned, b: Planned): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
