import type { PlanEntry } from "@acp/schema/v1";

import type { Report } from "../conversation/report.ts";

/** A plan whose entries are worked off one after another, published again with each step (PLAN-04). */
export class PlanProgress {
  readonly #report: Report;
  readonly #steps: readonly string[];
  #current = -1;

  constructor(report: Report, steps: readonly string[]) {
    this.#report = report;
    this.#steps = steps;
  }

  /** Publishes the plan as it stands. */
  publish(): Promise<void> {
    return this.#report.plan(
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
