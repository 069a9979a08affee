import type { BytePipe, BytePipeSink } from "@acp/core";
import { describe, expect, test } from "vitest";

import { wakefulPipe } from "./wakeful-pipe.ts";

const line = new TextEncoder().encode('{"id":1}\n');
const lines = new TextEncoder().encode('{"id":1}\n{"id":2}\n');

/** A pipe, its event loop and its clock, all of which stand still until the test moves them. */
class Machine {
  time = 0;
  /** How often the event loop was kept from sleeping. */
  looks = 0;
  readonly written: Uint8Array[] = [];
  readonly received: Uint8Array[] = [];
  readonly pipe: BytePipe;
  #tasks: (() => void)[] = [];
  #sink: BytePipeSink | undefined;

  constructor() {
    const plain: BytePipe = {
      start: (sink) => (this.#sink = sink),
      pause: () => {},
      resume: () => {},
      write: (bytes) => void this.written.push(bytes),
      close: async () => {},
    };
    const nextLoop = (task: () => void): void => {
      this.looks += 1;
      this.#tasks.push(task);
    };
    this.pipe = wakefulPipe(plain, nextLoop, () => this.time);
    this.pipe.start({ data: (chunk) => this.received.push(chunk), closed: () => {} });
  }

  get isAsleep(): boolean {
    return this.#tasks.length === 0;
  }

  arrive(bytes = line): void {
    this.#sink?.data(bytes);
  }

  /** Lets time pass, in milliseconds; the event loop turns every hundredth of one, as long as something is to be done. */
  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    while (this.time < end) {
      this.time = Math.min(end, this.time + 0.01);
      for (const task of this.#tasks.splice(0)) task();
    }
  }

  /** Calls and their answers, which take so long where the event loop sleeps, and where it does not. Returns in how many it did not. */
  exchange(count: number, asleep: number, awake = asleep): number {
    let stayed = 0;
    for (let i = 0; i < count; i++) {
      void this.pipe.write(line);
      if (!this.isAsleep) stayed += 1;
      this.pass(this.isAsleep ? asleep : awake);
      this.arrive();
      this.pass(0.02);
    }
    return stayed;
  }
}

describe("wakefulPipe()", () => {
  test("carries everything, and is the pipe itself without an event loop to keep awake", async () => {
    const machine = new Machine();
    machine.exchange(40, 0.05, 0.01);
    expect([machine.written.length, machine.received.length]).toEqual([40, 40]);
    await machine.pipe.close();
    const { pipe } = new Machine();
    expect(wakefulPipe(pipe, undefined)).toBe(pipe);
  });

  test("stays awake for answers once some have come quickly, and not for a moment longer", () => {
    const machine = new Machine();
    expect(machine.exchange(15, 0.05, 0.01)).toBe(0);
    expect(machine.exchange(100, 0.05, 0.01)).toBeGreaterThan(80);
    expect(machine.isAsleep).toBe(true);
  });

  test("sleeps while answers take their time", () => {
    const machine = new Machine();
    machine.exchange(1_000, 0.2, 0.15);
    expect(machine.looks).toBe(0);
  });

  test("gives up after a tenth of a millisecond, and soon altogether", () => {
    const machine = new Machine();
    machine.exchange(100, 0.05, 0.01);
    const before = machine.looks;
    void machine.pipe.write(line);
    expect(machine.isAsleep).toBe(false);
    machine.pass(0.12);
    expect(machine.isAsleep).toBe(true);
    expect(machine.looks - before).toBeLessThan(15);
    machine.pass(5_000);
    machine.arrive();
    expect(machine.exchange(100, 5, 5)).toBeLessThan(10);
  });

  test("hardly ever tries it where it does not help: with one core for both, or where others want them", () => {
    const machine = new Machine();
    machine.exchange(1_000, 0.03, 0.03);
    expect(machine.exchange(5_000, 0.03, 0.03)).toBeLessThan(250);
    const inVain = new Machine();
    inVain.exchange(1_000, 0.03, 0.5);
    expect(inVain.exchange(5_000, 0.03, 0.5)).toBeLessThan(250);
  });

  test("is not put off by one answer that is late for reasons of its own", () => {
    const machine = new Machine();
    machine.exchange(100, 0.05, 0.01);
    machine.exchange(1, 3, 3);
    expect(machine.exchange(100, 0.05, 0.01)).toBeGreaterThan(90);
  });

  test("is for one message and its answer, not for streams and calls at the same time", () => {
    const machine = new Machine();
    machine.exchange(100, 0.05, 0.01);
    const before = machine.looks;
    for (let i = 0; i < 100; i++) {
      // Many at once.
      void machine.pipe.write(lines);
      machine.pass(0.02);
      machine.arrive(lines);
      // What comes by itself.
      machine.arrive();
      machine.pass(0.02);
    }
    expect(machine.looks).toBe(before);
    // More than is looked through.
    void machine.pipe.write(new Uint8Array(100_000).fill(0x20, 0, 99_999).fill(0x0a, 99_999));
    expect(machine.isAsleep).toBe(true);
    const streaming = new Machine();
    for (let i = 0; i < 1_000; i++) {
      // Nobody answers.
      void streaming.pipe.write(line);
      streaming.pass(0.02);
    }
    expect(streaming.looks).toBe(0);
  });
});
