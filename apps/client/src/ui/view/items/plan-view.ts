import { entryLine, indent, type Line, type PlanEntry, planLines, planProgress, span, wrapSpans } from "@acp/render";

/** Draws a plan with the state of each entry. */
export function planView(plan: readonly PlanEntry[], width: number): Line[] {
  const { heading, entries } = planLines(plan);
  const rows = entries.flatMap(([mark = span(""), ...text]) =>
    indent(wrapSpans(text, width - 4), [span("  "), mark], [span("    ")]),
  );
  return [heading, ...rows];
}

/** Draws a plan of an ended turn: in one line if all of it is done. */
export function endedPlanView(plan: readonly PlanEntry[], width: number): Line[] {
  return plan.some(isPending) ? planView(plan, width) : [planProgress(plan)];
}

/**
 * Draws a plan while it is worked on. With little room, entries far from the running one are counted instead.
 */
export function livePlanView(plan: readonly PlanEntry[], width: number, rows: number): Line[] {
  const whole = planView(plan, width);
  if (whole.length <= rows) return whole;
  const running = plan.find(({ status }) => status === "in_progress") ?? plan.find(isPending);
  const now: Line = running === undefined ? [] : [span("  "), ...entryLine(running)];
  return [[...planLines(plan).heading, ...now]];
}

function isPending({ status }: PlanEntry): boolean {
  return status !== "completed" && status !== "cancelled";
}
