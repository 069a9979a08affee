import type { Clock } from "../../src/clock.ts";
import type { World } from "./world.ts";

/**
 * A process: code that runs only when something reaches it. So one that is frozen gets everything later, and one that was
 * killed gets nothing any more.
 */
export class Program {
  readonly name: string;
  readonly clock: Clock;
  state: "running" | "frozen" | "dead" = "running";
  /** Nothing gets through to the engine until then. */
  cutUntil = 0;
  readonly #world: World;
  #held: (() => void)[] = [];
  #onDeath: (() => void)[] = [];

  constructor(world: World, name: string, deadTimer?: number) {
    this.#world = world;
    this.name = name;
    // The clocks of machines differ.
    const offset = 1_000_000_000 + world.random.from(-100_000, 100_000);
    this.clock = {
      now: () => world.now + offset,
      after: (milliseconds, run) => {
        let isStopped = milliseconds === deadTimer;
        world.after(milliseconds, () =>
          this.deliver(() => {
            if (!isStopped) run();
          }),
        );
        return () => {
          isStopped = true;
        };
      },
    };
  }

  /** Lets something reach the process. */
  deliver(run: () => void): void {
    if (this.state === "running") run();
    else if (this.state === "frozen") this.#held.push(run);
  }

  /** Calls back when the process has died. */
  onDeath(run: () => void): void {
    this.#onDeath.push(run);
  }

  freeze(milliseconds: number): void {
    if (this.state !== "running") return;
    this.#world.say(`${this.name} is frozen for ${milliseconds} ms`);
    this.state = "frozen";
    this.#world.after(milliseconds, () => this.wake());
  }

  wake(): void {
    if (this.state !== "frozen") return;
    this.#world.say(`${this.name} goes on`);
    this.state = "running";
    const held = this.#held;
    this.#held = [];
    for (const run of held) this.#world.after(0, () => this.deliver(run));
  }

  kill(why = "is killed"): void {
    if (this.state === "dead") return;
    this.#world.say(`${this.name} ${why}`);
    this.state = "dead";
    this.#held = [];
    for (const run of this.#onDeath) run();
    this.#onDeath = [];
  }
}
