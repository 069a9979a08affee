import type { PlanEntry } from "../../../protocol/shown.ts";
import { cutLine, printableLine } from "../../../text/printable.ts";
import { indent, type Line, type Span, span, wrapSpans } from "../../../text/spans.ts";

/** Draws a plan with the state of each entry. */
export function planView(entries: readonly PlanEntry[], width: number): Line[] {
  const done = entries.filter(({ status }) => status === "completed").length;
  const heading: Line = [span("Plan", "bold"), span(` ${done}/${entries.length}`, "dim")];
  return [heading, ...entries.flatMap((entry) => entryLines(entry, width))];
}

/**
 * Draws a plan while it is worked on. With little room, entries far from the running one are counted instead.
 */
export function livePlanView(entries: readonly PlanEntry[], width: number, rows: number): Line[] {
  const whole = planView(entries, width);
  if (whole.length <= rows) return whole;
  const [heading = []] = whole;
  const running = entries.find(({ status }) => status === "in_progress") ?? entries.find(isPending);
  const now: Line = running === undefined ? [] : [span("  "), ...oneLine(running)];
  return [[...heading, ...now]];
}

function entryLines(entry: PlanEntry, width: number): Line[] {
  const [mark = span(""), ...text] = oneLine(entry);
  return indent(wrapSpans(text, width - 4), [span("  "), mark], [span("    ")]);
}

function oneLine({ content, status }: PlanEntry): Line {
  const text = cutLine(printableLine(content));
  const spans: Record<string, readonly [Span, Span]> = {
    completed: [span("✓ ", "green"), span(text, "dim")],
    cancelled: [span("✗ ", "dim"), span(text, "dim", "strikethrough")],
    in_progress: [span("▸ ", "cyan"), span(text, "bold")],
  };
  return spans[status] ?? [span("· ", "dim"), span(text)];
}

function isPending({ status }: PlanEntry): boolean {
  return status !== "completed" && status !== "cancelled";
}
