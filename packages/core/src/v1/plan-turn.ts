import type { MetaOptions } from "../rpc/peer.ts";
import type { UpdateOf } from "./protocol-types.ts";

type PlanUpdate<C> = Extract<UpdateOf<C>, { readonly sessionUpdate: "plan_update" }>;

/** A turn's additional members if the protocol has plan operations. */
export type PlanTurn<C> = [PlanUpdate<C>] extends [never]
  ? unknown
  : PlanUpdate<C> extends { readonly plan: infer Plan }
    ? PlanOperations<Plan>
    : unknown;

/** Several plans, each with an id, as a list, as Markdown or as a file. */
interface PlanOperations<Plan> {
  /**
   * Sends a plan, which replaces the plan with the same `planId`. A client that did not advertise `plan` gets one
   * `plan` update instead, with the entries of all plans of the session: those of a list, the tasks in Markdown, and
   * the URI of a file (PLAN-07, PLAN-08). `update` with a `plan_update` does the same.
   */
  planUpdate(plan: Plan, options?: MetaOptions): Promise<void>;
  /**
   * Removes a plan. A client that did not advertise `plan` gets a `plan` update with the plans that are left (PLAN-08).
   */
  planRemoved(planId: string, options?: MetaOptions): Promise<void>;
}
