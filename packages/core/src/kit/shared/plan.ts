import type { PlanEntry } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { requireArgument, requireObject } from "../../base/require-argument.ts";

/** An entry of a plan, as far as it is the same in each version. */
interface AnyEntry {
  readonly content: string;
  readonly priority: string;
  readonly status: string;
}

/** A step of a plan: its text, or an entry of the protocol. Defaults: priority `medium`, status `pending`. */
export type PlanStep<Entry extends AnyEntry = PlanEntry> = string | (Pick<Entry, "content"> & Partial<Entry>);

/** A plan that the client shows. Each change sends the complete plan again (PLAN-02, PLAN-04). Indexes count from 0. */
export interface TrackedPlan<Entry extends AnyEntry = PlanEntry> {
  /** The current entries. */
  readonly entries: readonly Entry[];
  /** Marks a step as in progress. */
  start(index: number): Promise<void>;
  /** Marks a step as completed. */
  complete(index: number): Promise<void>;
  /** Completes all steps in progress, and starts the first pending one, if there is one. */
  next(): Promise<void>;
  /** Changes members of a step. */
  change(index: number, change: Partial<Entry>): Promise<void>;
  /** Adds a step at the end, or before the one at `index` (PLAN-05). */
  add(step: PlanStep<Entry>, index?: number): Promise<void>;
  /** Removes a step (PLAN-05). */
  remove(index: number): Promise<void>;
}

/**
 * Sends a plan, and returns an object to update it.
 *
 * ```ts
 * const plan = await createPlan(turn, ["Find the mistake", "Mend it"]);
 * await plan.start(0);
 * ```
 *
 * The methods reject with a {@link UsageError} if there is no step with that index. `options` are those of the turn's
 * `plan`.
 */
export async function createPlan<Entry extends AnyEntry, Options>(
  turn: { plan(entries: readonly Entry[], options?: Options): Promise<void> },
  steps: readonly PlanStep<NoInfer<Entry>>[],
  options?: NoInfer<Options>,
): Promise<TrackedPlan<Entry>> {
  requireObject(turn, "createPlan() takes a turn first", "plan");
  requireArgument(Array.isArray(steps), "createPlan() takes a list of steps", steps);
  let entries = steps.map<Entry>(toEntry);
  const send = (changed: Entry[]): Promise<void> => {
    entries = changed;
    return turn.plan(entries, options);
  };
  const check = (index: number): void => {
    if (entries[index] === undefined) throw new UsageError(`The plan has no step ${index}; it has ${entries.length}`);
  };
  const change = async (index: number, changes: Partial<Entry>): Promise<void> => {
    check(index);
    await send(entries.map((entry, at) => (at === index ? { ...entry, ...changes } : entry)));
  };
  await send(entries);
  return {
    get entries() {
      return entries;
    },
    change,
    start: (index) => change(index, inProgress as Partial<Entry>),
    complete: (index) => change(index, completed as Partial<Entry>),
    next: () => {
      const done = entries.map((entry) => (entry.status === "in_progress" ? { ...entry, ...completed } : entry));
      const first = done.findIndex(({ status }) => status === "pending");
      return send(done.map((entry, at) => (at === first ? { ...entry, ...inProgress } : entry)));
    },
    add: async (step, index = entries.length) => {
      if (index !== entries.length) check(index);
      await send(entries.toSpliced(index, 0, toEntry(step)));
    },
    remove: async (index) => {
      check(index);
      await send(entries.toSpliced(index, 1));
    },
  };
}

const inProgress = { status: "in_progress" } as const;
const completed = { status: "completed" } as const;

function toEntry<Entry extends AnyEntry>(step: PlanStep<Entry>): Entry {
  const entry = typeof step === "string" ? { content: step } : step;
  // The defaults are valid in each version.
  return { priority: "medium", status: "pending", ...entry } as unknown as Entry;
}
