import type { MetaOptions } from "../protocol/peer.ts";
import type { UpdateOf } from "./vocabulary.ts";

type PlanUpdate<C> = Extract<UpdateOf<C>, { readonly sessionUpdate: "plan_update" }>;

/** What a turn has if the protocol has plan operations. */
export type PlanTurn<C> = [PlanUpdate<C>] extends [never]
  ? unknown
  : PlanUpdate<C> extends { readonly plan: infer Plan }
    ? PlanOperations<Plan>
    : unknown;

/** Several plans side by side, each with an id, as a list, as Markdown or as a file. */
interface PlanOperations<Plan> {
  /**
   * Sends a plan; it replaces the one with the same `planId`. A client that did not advertise `plan` is sent a `plan`
   * with the entries of all plans of the session instead: those of a list as they are, of Markdown its tasks, of a file
   * its URI (PLAN-07, PLAN-08). So does `update` with a `plan_update`.
   */
  planUpdate(plan: Plan, options?: MetaOptions): Promise<void>;
  /** Removes a plan. A client that did not advertise `plan` is sent what is left, in the end nothing (PLAN-08). */
  planRemoved(planId: string, options?: MetaOptions): Promise<void>;
}
