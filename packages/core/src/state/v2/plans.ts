import { unknownVariant } from "@acp/schema";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import { placed } from "./place-item.ts";
import type { AnyPlan, AnyState } from "./session-state.ts";

/** One of the plans, whole: it replaces the one before with its id, also if it is of a kind that is not known. */
export function updatePlan(state: AnyState, { plan, _meta }: Unstable.PlanUpdate): AnyState | undefined {
  const planId = planIdOf(plan);
  if (planId === undefined) return undefined;
  return place(state, { type: "plan", planId, plan, removed: false, ...(_meta ? { _meta } : {}) });
}

/** Takes a plan away. Its place in the timeline stays, for those that stand behind it. */
export function removePlan(state: AnyState, { planId }: Unstable.PlanRemoved): AnyState {
  const known = state.timeline.find("plan", planId);
  if (known === undefined || known.removed) return state;
  const removed = place(state, { ...known, removed: true });
  return { ...removed, plan: state.plan?.planId === planId ? undefined : state.plan };
}

function place(state: AnyState, plan: AnyPlan): AnyState {
  const timeline = placed(state.timeline, plan, plan.planId);
  const newest = state.plan === undefined ? -1 : (timeline.position("plan", state.plan.planId) ?? -1);
  const isNewest = (timeline.position("plan", plan.planId) ?? -1) >= newest;
  return { ...state, timeline, plan: isNewest ? plan : state.plan };
}

function planIdOf(plan: Unstable.PlanUpdateContent): string | undefined {
  // JSON has no symbols: what comes from a record has no type at all.
  if (plan.type !== unknownVariant && "planId" in plan) return plan.planId;
  const { planId } = (plan as { readonly received?: { readonly planId?: unknown } }).received ?? {};
  return typeof planId === "string" ? planId : undefined;
}
