import { Keeper, SessionHeldError } from "../../src/keeper/keeper.ts";
import type { Keepers, KeeperStart, RunningKeeper } from "../../src/keeper/keepers.ts";
import { checkLimits, type CheckedLimits, type SessionLimits } from "../../src/keeper/limits.ts";
import { type Agents, outboxUnits } from "./agents.ts";
import type { Engine } from "./engine.ts";
import type { Mutant } from "./mutant.ts";
import { Program } from "./program.ts";
import type { World } from "./world.ts";

const limits: CheckedLimits = checkLimits({
  outboxUnits,
  prompts: 3,
  questions: 3,
  lease: 6000,
  idleTime: 20_000,
});

/** The process of a keeper. */
interface KeeperHost {
  readonly program: Program;
  readonly up: Promise<"up" | "held">;
  readonly ended: Promise<void>;
  keeper: Keeper | undefined;
  /** The clients of each front. */
  readonly attached: Map<Program, number>;
  readonly stored: Map<Program, () => void>;
}

/** A machine with keepers in processes of their own, which outlive its fronts. */
export class Machine {
  readonly hosts: Map<string, KeeperHost> = new Map();
  readonly #world: World;
  readonly #engine: Engine;
  readonly #agents: Agents;
  readonly #mutant: Mutant;
  readonly #name: string;
  readonly #limits: CheckedLimits;
  #count = 0;

  constructor(name: string, history: SessionLimits, world: World, engine: Engine, agents: Agents, mutant: Mutant) {
    this.#name = name;
    this.#limits = checkLimits({ ...limits, ...history });
    this.#world = world;
    this.#engine = engine;
    this.#agents = agents;
    this.#mutant = mutant;
  }

  /** The keepers, as a front of this machine reaches them. */
  keepersOf(front: Program): Keepers {
    const find = async (session: string, onStored: () => void): Promise<RunningKeeper | undefined> => {
      const host = this.hosts.get(session);
      return await this.#reach(
        front,
        host === undefined ? Promise.resolve(undefined) : this.#control(host, front, onStored),
      );
    };
    return {
      find,
      start: async (start, onStored) =>
        await this.#reach(front, this.#control(this.hosts.get(start.session) ?? this.#spawn(start), front, onStored)),
      close: () => Promise.resolve(),
    };
  }

  /** Brings what comes of a promise to a process. */
  #reach<T>(program: Program, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const later = (run: () => void): unknown =>
        this.#world.after(this.#world.random.from(0, 4), () => program.deliver(run));
      promise.then(
        (value) => later(() => resolve(value)),
        (error: unknown) => later(() => reject(error)),
      );
    });
  }

  async #control(host: KeeperHost, front: Program, onStored: () => void): Promise<RunningKeeper | undefined> {
    const up = await Promise.race([host.up, host.ended.then(() => "ended" as const)]);
    if (up === "ended") throw new Error("The process of the keeper has ended");
    if (up === "held") return undefined;
    host.stored.set(front, onStored);
    front.onDeath(() => {
      host.stored.delete(front);
      host.attached.delete(front);
      this.#tell(host, (keeper) => keeper.setAttached(sumOf(host.attached)));
    });
    const closed = this.#reach(front, host.ended);
    return {
      wake: () => this.#tell(host, (keeper) => keeper.wake()),
      setAttached: (count) => {
        host.attached.set(front, count);
        this.#tell(host, (keeper) => keeper.setAttached(sumOf(host.attached)));
      },
      // Agents of the simulation have no extensions with requests.
      onRequest: () => {},
      close: () => {
        this.#tell(host, (keeper) => void keeper.close());
        return closed;
      },
      closed,
    };
  }

  #tell(host: KeeperHost, run: (keeper: Keeper) => void): void {
    this.#world.after(this.#world.random.from(0, 3), () =>
      host.program.deliver(() => host.keeper !== undefined && run(host.keeper)),
    );
  }

  #spawn(start: KeeperStart): KeeperHost {
    const { session, setup } = start;
    this.#count += 1;
    const program = new Program(this.#world, `keeper ${this.#name}${this.#count}`, this.#mutant.deadTimer);
    this.#world.say(`${program.name} of ${session} starts`);
    const host: KeeperHost = {
      program,
      keeper: undefined,
      attached: new Map(),
      stored: new Map(),
      ended: new Promise((resolve) => program.onDeath(resolve)),
      up: new Promise((resolve, reject) => {
        this.#world.after(this.#world.random.from(1, 100), () =>
          program.deliver(() => void this.#run(host, start, program).then(resolve, reject)),
        );
      }),
    };
    host.up.catch(() => {});
    this.hosts.set(session, host);
    program.onDeath(() => this.hosts.get(session) === host && this.hosts.delete(session));
    void setup;
    return host;
  }

  /** The program of a keeper. */
  async #run(host: KeeperHost, { session, setup, opens }: KeeperStart, program: Program): Promise<"up" | "held"> {
    try {
      const keeper = await Keeper.start(
        {
          journal: this.#engine.connect(program),
          session,
          setup,
          openAgent: this.#agents.opener(program, session),
          limits: this.#limits,
          clock: program.clock,
          onStored: () => {
            if (this.#mutant.isSilent === true) return;
            for (const [front, tell] of host.stored)
              this.#world.after(this.#world.random.from(0, 3), () => front.deliver(tell));
          },
        },
        program.name,
      );
      if (keeper === undefined) throw new Error("There is no such session");
      host.keeper = keeper;
      void keeper.closed.then(() => program.kill("ends"));
      if (opens !== false) keeper.open().catch(() => {});
      return "up";
    } catch (error) {
      // Once the front knows.
      this.#world.after(1, () => program.kill("could not start"));
      if (error instanceof SessionHeldError) return "held";
      throw error;
    }
  }
}

function sumOf(counts: ReadonlyMap<Program, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
