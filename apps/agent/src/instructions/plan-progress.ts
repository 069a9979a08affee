import type { AgentTurn } from "@acp/core";
import type { PlanEntry } from "@acp/schema/v1";

/** A plan whose entries are worked off one after another, published again with each step (PLAN-04). */
export class PlanProgress {
  readonly #turn: AgentTurn;
  readonly #steps: readonly string[];
  #current = -1;

  constructor(turn: AgentTurn, steps: readonly string[]) {
    this.#turn = turn;
    this.#steps = steps;
  }

  /** Publishes the plan as it stands. */
  publish(): Promise<void> {
    return this.#turn.plan(
      this.#steps.map((content, index) => ({ content, priority: "medium", status: this.#status(index) })),
    );
  }

  /** The step before is done, the next one begins; after the last, all are done. */
  next(): Promise<void> {
    this.#current += 1;
    return this.publish();
  }

  #status(index: number): PlanEntry["status"] {
    if (index < this.#current) return "completed";
    return index === this.#current ? "in_progress" : "pending";
  }
}
