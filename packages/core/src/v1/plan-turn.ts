import type { MetaOptions } from "../rpc/peer.ts";
import type { UpdateOf } from "./protocol-types.ts";

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
   * Sends a plan, which replaces the one with the same `planId`. A client that did not advertise `plan` gets one `plan`
   * update instead, with the entries of all plans of the session: a list gives its entries, Markdown its tasks, and a file
   * its URI (PLAN-07, PLAN-08). `update` with a `plan_update` does the same.
   */
  planUpdate(plan: Plan, options?: MetaOptions): Promise<void>;
  /** Removes a plan. A client that did not advertise `plan` gets a list of the plans that are left (PLAN-08). */
  planRemoved(planId: string, options?: MetaOptions): Promise<void>;
}
