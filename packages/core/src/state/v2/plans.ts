import { unknownVariant } from "@acp/schema";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import { placeItem } from "./place-item.ts";
import type { AnyPlan, AnyState } from "./session-state.ts";

/** Replaces the plan with this id as a whole, even by a plan of an unknown kind. */
export function updatePlan(state: AnyState, update: Unstable.PlanUpdate): AnyState {
  const { plan, _meta } = update;
  const planId = planIdOf(plan);
  if (planId === undefined) {
    return { ...state, timeline: state.timeline.append({ type: "unknown", received: { ...update } }) };
  }
  return placePlan(state, { type: "plan", planId, plan, removed: false, ...(_meta ? { _meta } : {}) });
}

/** Removes a plan. It keeps its place in the timeline, since indexes of items never change. */
export function removePlan(state: AnyState, { planId }: Unstable.PlanRemoved): AnyState {
  const known = state.timeline.find("plan", planId);
  if (known === undefined || known.removed) return state;
  const removed = placePlan(state, { ...known, removed: true });
  return { ...removed, plan: state.plan?.planId === planId ? undefined : state.plan };
}

function placePlan(state: AnyState, plan: AnyPlan): AnyState {
  const placed = placeItem(state, plan, plan.planId);
  const positionOf = (planId: string): number => placed.timeline.position("plan", planId) ?? -1;
  const isNewest = state.plan === undefined || positionOf(plan.planId) >= positionOf(state.plan.planId);
  return { ...placed, plan: isNewest ? plan : state.plan };
}

function planIdOf(plan: Unstable.PlanUpdateContent): string | undefined {
  // After JSON, a plan of an unknown kind is as the agent sent it.
  const { planId }: { readonly planId?: unknown } = plan.type === unknownVariant ? plan.received : plan;
  return typeof planId === "string" ? planId : undefined;
}
