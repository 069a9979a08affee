import type { PlanEntry } from "./shown.ts";
import { cutLine, printableLine } from "./text/printable.ts";
import { type Line, type Span, span } from "./text/spans.ts";

/** A plan with the state of each entry: its heading, and a line for each entry. */
export function planLines(entries: readonly PlanEntry[]): {
  readonly heading: Line;
  readonly entries: readonly Line[];
} {
  const done = entries.filter(({ status }) => status === "completed").length;
  return {
    heading: [span("Plan", "bold"), span(` ${done}/${entries.length}`, "dim")],
    entries: entries.map(entryLine),
  };
}

/** A plan in one line: how much is done, and what is in progress. */
export function planProgress(plan: readonly PlanEntry[]): Line {
  const isDone = plan.every(({ status }) => status === "completed");
  const running = plan
    .filter(({ status }) => status === "in_progress")
    .map((entry) => [span("  "), ...entryLine(entry)]);
  return [...planLines(plan).heading, ...(isDone ? [span("  "), span("✓ all done", "green")] : running.flat())];
}

/** An entry: its mark, and what it says. */
export function entryLine({ content, status }: PlanEntry): Line {
  const text = cutLine(printableLine(content));
  const spans: Record<string, readonly [Span, Span]> = {
    completed: [span("✓ ", "green"), span(text, "dim")],
    cancelled: [span("✗ ", "dim"), span(text, "dim", "strikethrough")],
    in_progress: [span("▸ ", "cyan"), span(text, "bold")],
  };
  return spans[status] ?? [span("· ", "dim"), span(text)];
}
