import { HubSessions } from "../../src/front/hub-sessions.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Engine } from "./engine.ts";
import type { Machine } from "./machine.ts";
import type { Mutant } from "./mutant.ts";
import { Program } from "./program.ts";
import type { World } from "./world.ts";

/** A front of a machine, which is started again after it was killed. */
export class Front {
  program: Program;
  journal: Journal;
  sessions: HubSessions;
  readonly name: string;
  readonly #world: World;
  readonly #engine: Engine;
  readonly #machine: Machine;
  readonly #mutant: Mutant;
  #starts = 0;

  constructor(name: string, machine: Machine, world: World, engine: Engine, mutant: Mutant) {
    this.name = name;
    this.#machine = machine;
    this.#world = world;
    this.#engine = engine;
    this.#mutant = mutant;
    this.program = this.#newProgram();
    this.journal = this.#engine.connect(this.program);
    this.sessions = this.#newSessions();
  }

  get isUp(): boolean {
    return this.program.state !== "dead";
  }

  kill(): void {
    this.program.kill();
    this.#world.after(this.#world.random.from(50, 3000), () => this.start());
  }

  start(): void {
    if (this.isUp) return;
    this.program = this.#newProgram();
    this.journal = this.#engine.connect(this.program);
    this.sessions = this.#newSessions();
    this.#world.say(`${this.program.name} starts`);
  }

  #newProgram(): Program {
    this.#starts += 1;
    return new Program(this.#world, `front ${this.name}${this.#starts}`, this.#mutant.deadTimer);
  }

  #newSessions(): HubSessions {
    return new HubSessions({
      journal: this.journal,
      keepers: this.#machine.keepersOf(this.program),
      clock: this.program.clock,
      maxLive: 50,
      maxClients: 1000,
    });
  }
}
