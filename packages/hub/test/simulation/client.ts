import type { Cursor } from "../../src/journal/cursor.ts";
import type { KeeperStart } from "../../src/keeper/keepers.ts";
import type { Engine } from "./engine.ts";
import type { Front } from "./front.ts";
import type { Mutant } from "./mutant.ts";
import { Seat, type SeatOwner, type SharedSession } from "./seat.ts";
import type { World } from "./world.ts";

/** What a client needs of the simulation. */
export interface ClientParts {
  readonly world: World;
  readonly engine: Engine;
  readonly mutant: Mutant;
  readonly fronts: readonly Front[];
  /** The session that these clients share. */
  readonly shared: SharedSession;
  readonly name: string;
}

/** Somebody who uses a session: comes, goes, prompts, cancels, answers. */
export class SimClient implements SeatOwner {
  readonly parts: ClientParts;
  seat: Seat | undefined;
  /** Does nothing of its own accord any more, and answers everything. */
  isCalm = false;
  /** The prompts that have not ended yet. */
  readonly pending: Set<string> = new Set();
  /** Those that have. */
  readonly over: string[] = [];
  /** Where it goes on when it comes again, in which session. */
  last: { readonly session: string; readonly cursor: Cursor } | undefined;
  readonly isSlow: boolean;
  #prompts = 0;

  constructor(parts: ClientParts) {
    this.parts = parts;
    this.isSlow = parts.world.random.chance(0.2);
    parts.world.after(parts.world.random.from(0, 1500), () => this.#live());
  }

  get start(): KeeperStart {
    const setup = { cwd: "/", additionalDirectories: [], mcpServers: [] };
    return { session: this.parts.shared.id, program: { name: "test", command: "test" }, setup };
  }

  get name(): string {
    return this.parts.name;
  }

  /** The connection is gone. */
  onSeatLost(seat: Seat, needsHistory: boolean): void {
    if (this.seat !== seat) return;
    this.seat = undefined;
    if (needsHistory) this.last = undefined;
    this.parts.world.after(this.parts.world.random.from(5, 1500), () => this.connect());
  }

  connect(): void {
    const { random } = this.parts.world;
    if (this.seat !== undefined) return;
    const front = random.pick(this.parts.fronts.filter(({ isUp }) => isUp));
    if (front === undefined) return void this.parts.world.after(300, () => this.connect());
    const way = random.next();
    const cursor = this.last?.session === this.parts.shared.id ? this.last.cursor : undefined;
    const history = cursor !== undefined && way < 0.6 ? cursor : way < 0.9 ? "shown" : "left out";
    this.seat = new Seat(this, front, history);
  }

  leave(): void {
    this.seat?.leave();
  }

  /** Sends a new prompt, or one again. */
  prompt(key: string = this.#newKey()): void {
    const { seat } = this;
    if (seat === undefined || !seat.isAttached) return;
    this.pending.add(key);
    seat.prompt(key);
  }

  /** Sends what has not ended once more: it may never have arrived. */
  promptAgain(): void {
    for (const key of this.pending) {
      if (this.isCalm || this.parts.world.random.chance(0.8)) this.seat?.prompt(key);
      else this.pending.delete(key);
    }
  }

  onEnd(key: string): void {
    this.pending.delete(key);
    this.over.push(key);
  }

  #newKey(): string {
    this.#prompts += 1;
    return `${this.name}.p${this.#prompts}`;
  }

  #live(): void {
    const { world } = this.parts;
    if (this.isCalm) return;
    this.#act();
    world.after(world.random.from(20, 4000), () => this.#live());
  }

  #act(): void {
    const { random } = this.parts.world;
    if (this.seat === undefined) return this.connect();
    if (!this.seat.isAttached) return;
    const choice = random.next();
    if (choice < 0.45 && this.pending.size < 4) return this.prompt();
    if (choice < 0.55) {
      const again = random.pick([...this.pending, ...this.over.slice(-3)]);
      if (again !== undefined) this.prompt(again);
    } else if (choice < 0.65) this.seat.cancel();
    else if (choice < 0.75) this.leave();
    else if (choice < 0.78) this.seat.call();
    else if (choice < 0.79) this.seat.stop();
  }
}
