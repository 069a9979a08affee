import type { PlanEntry } from "@acp/schema/v1/types";
import { UsageError } from "../errors.ts";
import type { AnyTurn } from "./any-session.ts";

/** A step of a plan: its text, or an entry of the protocol. Defaults: priority `medium`, status `pending`. */
export type PlanStep = string | (Pick<PlanEntry, "content"> & Partial<PlanEntry>);

/** A plan the client was told of. Each change sends the whole of it (PLAN-02, PLAN-04). Indexes count from 0. */
export interface TrackedPlan {
  /** The entries as they stand. */
  readonly entries: readonly PlanEntry[];
  /** A step begins. */
  start(index: number): Promise<void>;
  /** A step is done. */
  complete(index: number): Promise<void>;
  /** All steps in progress are done, and the first pending one begins, if there is one. */
  next(): Promise<void>;
  /** Changes members of a step. */
  change(index: number, change: Partial<PlanEntry>): Promise<void>;
  /** Puts a step at the end, or before the one at `index` (PLAN-05). */
  add(step: PlanStep, index?: number): Promise<void>;
  /** Takes a step out (PLAN-05). */
  remove(index: number): Promise<void>;
}

/**
 * Sends a plan, and keeps track of it.
 *
 * ```ts
 * const plan = await createPlan(turn, ["Find the mistake", "Mend it"]);
 * await plan.start(0);
 * ```
 *
 * Its methods reject with a {@link UsageError} for an index without a step.
 */
export async function createPlan(turn: AnyTurn, steps: readonly PlanStep[]): Promise<TrackedPlan> {
  let entries = steps.map(toEntry);
  const send = (changed: PlanEntry[]): Promise<void> => {
    entries = changed;
    return turn.plan(entries);
  };
  const check = (index: number): void => {
    if (entries[index] === undefined) throw new UsageError(`The plan has no step ${index}; it has ${entries.length}`);
  };
  const change = async (index: number, changes: Partial<PlanEntry>): Promise<void> => {
    check(index);
    await send(entries.map((entry, at) => (at === index ? { ...entry, ...changes } : entry)));
  };
  await turn.plan(entries);
  return {
    get entries() {
      return entries;
    },
    change,
    start: (index) => change(index, { status: "in_progress" }),
    complete: (index) => change(index, { status: "completed" }),
    next: () => {
      const done = entries.map((entry) => (entry.status === "in_progress" ? withStatus(entry, "completed") : entry));
      const first = done.findIndex(({ status }) => status === "pending");
      return send(done.map((entry, at) => (at === first ? withStatus(entry, "in_progress") : entry)));
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

function toEntry(step: PlanStep): PlanEntry {
  return { priority: "medium", status: "pending", ...(typeof step === "string" ? { content: step } : step) };
}

function withStatus(entry: PlanEntry, status: PlanEntry["status"]): PlanEntry {
  return { ...entry, status };
}
