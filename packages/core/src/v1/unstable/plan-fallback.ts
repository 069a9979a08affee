import type { PlanEntry, SessionUpdate } from "@acp/schema/v1/unstable/types";
import { isSupported } from "@acp/schema";
import { knowsOlderPlans } from "./older-plans.ts";
import { planEntries } from "./plan-entries.ts";

/** The plans of each session whose client shows only one plan, by their ids. */
const plansOf = new WeakMap<object, Map<string, readonly PlanEntry[]>>();

/**
 * Returns what to send for an update about plans: the update itself if the client advertised `plan` (PLAN-07), otherwise a
 * single `plan` with the entries of all plans of the session (PLAN-08).
 */
export function planFallback(update: SessionUpdate, session: object, capabilities: object): SessionUpdate {
  if (update.sessionUpdate !== "plan_update" && update.sessionUpdate !== "plan_removed") return update;
  if (isSupported(capabilities, ["plan"])) return knowsOlderPlans(capabilities) ? withOlderId(update) : update;
  const plans = plansOf.get(session) ?? new Map<string, readonly PlanEntry[]>();
  plansOf.set(session, plans);
  if (update.sessionUpdate === "plan_removed") plans.delete(update.planId);
  else plans.set(update.plan.planId, planEntries(update.plan));
  const { _meta } = update;
  return { sessionUpdate: "plan", entries: [...plans.values()].flat(), ...(_meta != null && { _meta }) };
}

type PlanOperation = Extract<SessionUpdate, { sessionUpdate: "plan_update" | "plan_removed" }>;

function withOlderId(update: PlanOperation): SessionUpdate {
  if (update.sessionUpdate === "plan_removed") return Object.assign({ id: update.planId }, update);
  return { ...update, plan: Object.assign({ id: update.plan.planId }, update.plan) };
}
