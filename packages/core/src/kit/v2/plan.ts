import type { PlanEntry } from "@acp/schema/v2/types";
import * as common from "../v1/plan.ts";
import type { PlanOptions } from "../../v2/agent-turn.ts";
import type { AnyTurn } from "./any-session.ts";

/** A step of a plan: its text, or an entry of the protocol. Defaults: priority `medium`, status `pending`. */
export type PlanStep = common.PlanStep<PlanEntry>;

/** A plan the client was told of. Each change sends the whole of it. Indexes count from 0. */
export type TrackedPlan = common.TrackedPlan<PlanEntry>;

/**
 * Sends a plan, and keeps track of it.
 *
 * ```ts
 * const plan = await createPlan(turn, ["Find the mistake", "Mend it"]);
 * await plan.start(0);
 * ```
 *
 * It is the plan of the turn, in place of one before, unless the options have a `planId` of its own: several plans stand side
 * by side. `plan.change(index, { status: "cancelled" })` gives up a step. Its methods reject with a {@link UsageError} for an
 * index without a step, and as those of the turn do once that has ended.
 */
export const createPlan: (turn: AnyTurn, steps: readonly PlanStep[], options?: PlanOptions) => Promise<TrackedPlan> =
  common.trackPlan;
