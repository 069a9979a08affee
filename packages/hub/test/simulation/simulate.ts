import process from "node:process";

import { Agents } from "./agents.ts";
import { SimClient } from "./client.ts";
import { Engine, type Faults, noFaults } from "./engine.ts";
import { Front } from "./front.ts";
import { Machine } from "./machine.ts";
import { type Mutant, noMutant } from "./mutant.ts";
import type { SharedSession } from "./seat.ts";
import { World } from "./world.ts";

/** What came of a seed. */
export interface Outcome {
  readonly seed: number;
  readonly steps: number;
  /** What was wrong; `undefined` if nothing was. */
  readonly violation: string | undefined;
  readonly trace: readonly string[];
  readonly prompts: number;
  readonly entries: number;
}

/** How long things go wrong, in milliseconds, and how long the rest may take. */
const wildTime = 40_000;
const calmTime = 150_000;
/** How soon a dialog closes everywhere when nothing goes wrong, and how often clients answer all that is asked. */
const withdrawTime = 2500;
const answerTime = 4000;

/** Runs all of a hub, as the seed says. */
export async function simulate(seed: number, mutant: Mutant = noMutant): Promise<Outcome> {
  const simulation = new Simulation(seed, mutant);
  const onRejection = (error: unknown): void =>
    simulation.world.fail(`nobody handles ${error instanceof Error ? String(error.stack) : String(error)}`);
  process.on("unhandledRejection", onRejection);
  const undo = mutant.patch?.();
  try {
    return await simulation.run();
  } finally {
    undo?.();
    process.off("unhandledRejection", onRejection);
  }
}

class Simulation {
  readonly world: World;
  readonly #seed: number;
  readonly #engine: Engine;
  readonly #agents: Agents;
  readonly #machines: readonly Machine[];
  readonly #fronts: readonly Front[];
  readonly #clients: readonly SimClient[];
  /** Whether the engine may fail over to one that has not got the last entries. */
  readonly #mayForget: boolean;

  constructor(seed: number, mutant: Mutant) {
    this.#seed = seed;
    const world = new World(seed);
    this.world = world;
    this.#mayForget = world.random.chance(0.2);
    this.#engine = new Engine(world, mutant);
    this.#agents = new Agents(world, this.#engine, mutant);
    const compactAfter = this.#mayForget || world.random.chance(0.4) ? Infinity : world.random.from(5, 60);
    const historyUnits =
      compactAfter === Infinity || world.random.chance(0.3) ? Infinity : world.random.from(500, 12_000);
    this.#machines = ["A", "B"].map(
      (name) => new Machine(name, { compactAfter, historyUnits }, world, this.#engine, this.#agents, mutant),
    );
    this.#fronts = this.#machines.flatMap((machine, index) =>
      Array.from({ length: 2 - index }, (_, number) => {
        return new Front(`${"AB"[index]}${"xy"[number]}`, machine, world, this.#engine, mutant);
      }),
    );
    this.#clients = Array.from({ length: world.random.from(1, 2) }, (_, index) => `s${index + 1}`).flatMap(
      (session) => {
        const shared: SharedSession = { state: "not made", id: session };
        return Array.from({ length: world.random.from(1, 4) }, (_, number) => {
          const name = `${session}c${number + 1}`;
          return new SimClient({ world, engine: this.#engine, mutant, fronts: this.#fronts, shared, name });
        });
      },
    );
  }

  async run(): Promise<Outcome> {
    const { world } = this;
    const { random } = world;
    const isWild = random.chance(0.85);
    if (isWild && random.chance(0.8)) this.#engine.faults = randomFaults(() => random.next());
    if (isWild) world.after(random.from(500, 5000), () => this.#disturb());
    await world.runUntil(wildTime);
    if (world.violation === undefined) await this.#settle();
    if (world.violation === undefined) await this.#probe();
    let entries = 0;
    for (const log of this.#engine.logs.values()) entries += log.entries.length;
    const { steps, violation } = world;
    return {
      seed: this.#seed,
      steps,
      violation,
      trace: violation === undefined ? [] : world.lastLines(),
      prompts: this.#agents.prompts.size,
      entries,
    };
  }

  /** Something goes wrong, and again after a while. */
  #disturb(): void {
    const { world } = this;
    const { random } = world;
    if (world.now > wildTime) return;
    const hosts = this.#machines.flatMap(({ hosts: all }) => [...all.values()]);
    const programs = [...hosts.map(({ program }) => program), ...this.#fronts.map(({ program }) => program)];
    const keeper = random.pick(hosts)?.program;
    const front = random.pick(this.#fronts);
    const program = random.pick(programs);
    const choice = random.next();
    if (this.#mayForget && random.chance(0.1)) void this.#engine.failOver(random.from(0, 12));
    else if (choice < 0.2) keeper?.kill();
    else if (choice < 0.4) keeper?.freeze(random.from(10, 20_000));
    else if (choice < 0.55) front?.kill();
    else if (choice < 0.62) front?.program.freeze(random.from(10, 5000));
    else if (choice < 0.8 && program !== undefined) this.#cut(program, random.from(100, 20_000));
    else if (choice < 0.9) {
      this.#engine.frozenUntil = world.now + random.from(100, 9000);
      world.say(`the engine is frozen until ${this.#engine.frozenUntil}`);
    } else random.pick([...this.#agents.running])?.crash();
    world.after(random.from(100, 9000), () => this.#disturb());
  }

  #cut(program: { cutUntil: number; readonly name: string }, time: number): void {
    this.world.say(`${program.name} is cut off for ${time} ms`);
    program.cutUntil = this.world.now + time;
  }

  /** Nothing goes wrong any more: everything has to come to its end. */
  async #settle(): Promise<void> {
    const { world } = this;
    world.say("--- nothing goes wrong from here on");
    this.#engine.faults = noFaults;
    this.#engine.frozenUntil = 0;
    this.#agents.isCalm = true;
    for (const front of this.#fronts) {
      front.program.wake();
      front.program.cutUntil = 0;
      front.start();
    }
    for (const { hosts } of this.#machines)
      for (const { program } of hosts.values()) {
        program.wake();
        program.cutUntil = 0;
      }
    for (const client of this.#clients) {
      client.isCalm = true;
      client.connect();
    }
    await this.#untilQuiet("in the end");
  }

  /** Everything still works. */
  async #probe(): Promise<void> {
    for (const client of this.#clients) {
      const before = this.#agents.prompts.size;
      client.prompt();
      await this.#untilQuiet(`of the last prompt of ${client.name}`);
      if (this.world.violation !== undefined) return;
      if (this.#agents.prompts.size === before) this.world.fail(`${client.name} gets nothing done`);
    }
  }

  async #untilQuiet(when: string): Promise<void> {
    const { world } = this;
    const end = world.now + calmTime;
    while (world.now < end) {
      await world.runUntil(world.now + 500);
      if (world.violation !== undefined || this.#unrest().length === 0) return;
      for (const { name, seat } of this.#clients) {
        const stale = seat?.staleDialog(world.now - withdrawTime);
        if (stale !== undefined) return world.fail(`${name} is still asked ${stale}`);
      }
      if (world.now % answerTime === 0)
        for (const { seat } of this.#clients) for (const answer of seat?.dialogs.values() ?? []) answer();
    }
    for (const client of this.#clients)
      world.say(`${client.name} waits for ${[...client.pending].join(" ") || "nothing"}`);
    world.fail(`${when}, this never happens: ${this.#unrest().join("; ")}`);
  }

  /** What is not as it has to be when all is done. */
  #unrest(): readonly string[] {
    const found: string[] = [];
    for (const { name, seat, pending: all, parts } of this.#clients) {
      // Nobody knows any more of a prompt that the engine has forgotten: it is for its author to send it again.
      const { lostPrompts } = this.#engine.logOf(parts.shared.id);
      const pending = [...all].filter((key) => !lostPrompts.has(key));
      if (seat?.isAttached !== true) found.push(`${name} is attached`);
      if (pending.length > 0) found.push(`${pending.join(" ")} of ${name} end`);
      if (seat !== undefined && seat.missing.length > 0) found.push(`${name} sees entry ${seat.missing[0]?.n}`);
      if (seat?.isUntold === true) found.push(`${name} is told that history was removed`);
      if (seat !== undefined && seat.dialogs.size > 0)
        found.push(`${[...seat.dialogs.keys()].join()} close at ${name}`);
    }
    for (const session of new Set(this.#clients.map(({ parts }) => parts.shared.id))) {
      const log = this.#engine.logOf(session);
      for (const [key, state] of log.prompts) if (state === "begun") found.push(`${key} ends`);
      for (const title of log.open.values()) found.push(`${title} is answered`);
      const state = log.entries.findLast((entry) => entry.t === "state");
      if (state?.state.state === "running" || state?.state.state === "requires_action")
        found.push(`${session} is idle`);
      const agents = [...this.#agents.running].filter((agent) => agent.session === session);
      if (agents.length > 1) found.push(`one of ${agents.map(({ name }) => name).join()} ends`);
      // Prompts that wait for one that starts are not done.
      for (const { name, isOpen } of agents) if (!isOpen) found.push(`${name} opens`);
      for (const { name, keeper } of agents)
        if (log.holder?.keeper !== keeper.name) found.push(`${name} of ${keeper.name} ends, which is not the keeper`);
    }
    return found;
  }
}

function randomFaults(next: () => number): Faults {
  const rare = (): number => (next() < 0.5 ? 0 : next() * 0.08);
  return {
    lost: rare(),
    answerLost: rare(),
    late: rare(),
    slow: rare(),
    wakeLost: next() < 0.5 ? 0 : next(),
    wakeTwice: next() < 0.5 ? 0 : next() * 0.5,
  };
}
