import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import { placeItem } from "../shared/place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { PlanItem } from "./timeline-items.ts";

/** The plan without an id. It replaces the one before completely (PLAN-03). */
export function setPlan(state: AnyState, { entries, _meta }: Received.Plan): AnyState {
  const { timeline, continuation } = state;
  const plan: PlanItem = { type: "plan", entries, ...(_meta ? { _meta } : {}) };
  const { plan: known, userMessage } = continuation;
  // After the user has spoken again it is a plan for something else: it has a place of its own.
  const isCurrent = known !== undefined && (userMessage === undefined || userMessage < known);
  if (isCurrent) return { ...state, plan, timeline: timeline.replace(known, plan) };
  return {
    ...state,
    plan,
    timeline: timeline.append(plan),
    continuation: { ...continuation, message: undefined, plan: timeline.length },
  };
}

/** One of several plans, told apart by their ids (PLAN-11). */
export function updatePlan(state: AnyState, { plan, _meta }: Unstable.PlanUpdate): AnyState {
  const { planId } = plan;
  return placeItem(
    state,
    { type: "identified_plan", planId, plan, removed: false, ...(_meta ? { _meta } : {}) },
    planId,
  );
}

/** Takes one of several plans away. Its place in the timeline stays, for those that stand behind it. */
export function removePlan(state: AnyState, { planId }: Unstable.PlanRemoved): AnyState {
  const known = state.timeline.find("identified_plan", planId);
  return known === undefined || known.removed ? state : placeItem(state, { ...known, removed: true }, planId);
}
