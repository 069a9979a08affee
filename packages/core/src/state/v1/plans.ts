import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import { placeItem, withTimeline } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { PlanItem } from "./timeline-items.ts";

/** The plan without an id. It replaces the one before completely (PLAN-03). */
export function setPlan(state: AnyState, { entries, _meta }: Received.Plan): AnyState {
  const { timeline, continuation } = state;
  const plan: PlanItem = { type: "plan", entries, ...(_meta ? { _meta } : {}) };
  const { plan: known, userMessage } = continuation;
  // A plan after another message of the user is a plan for something else: it has a place of its own.
  const isCurrent = known !== undefined && (userMessage === undefined || userMessage < known);
  if (isCurrent) return { ...state, plan, timeline: timeline.replace(known, plan) };
  const placed = withTimeline(state, timeline.append(plan));
  return { ...placed, plan, continuation: { ...placed.continuation, plan: timeline.length } };
}

/** One of several plans, which differ by their ids (PLAN-11). */
export function updatePlan(state: AnyState, { plan, _meta }: Unstable.PlanUpdate): AnyState {
  const { planId } = plan;
  const item = { type: "identified_plan", planId, plan, removed: false, ...(_meta ? { _meta } : {}) } as const;
  return placeItem(state, item, planId);
}

/** Removes one of several plans. It keeps its place in the timeline, since indexes of items never change. */
export function removePlan(state: AnyState, { planId }: Unstable.PlanRemoved): AnyState {
  const known = state.timeline.find("identified_plan", planId);
  return known === undefined || known.removed ? state : placeItem(state, { ...known, removed: true }, planId);
}
