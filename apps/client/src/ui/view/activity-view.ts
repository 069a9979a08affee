import { describeElapsed, type Line, lineWidth, span, truncate } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { Prompt, RunningTurn } from "../chat-state.ts";

/** A silence that is worth a word, in milliseconds. */
const long = 10_000;
/** How many waiting prompts are shown. */
const maxQueued = 3;

const turning = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** How long each of its positions is shown, in milliseconds. */
export const spinnerInterval = 100;

/** The spinner at a time. */
export function spinnerAt(now: number): string {
  return turning[Math.floor(now / spinnerInterval) % turning.length] ?? "";
}

/** Draws what goes on in a turn, for how long, and since when the agent is silent. */
export function activityView(turn: RunningTurn, isAsked: boolean, now: number, width: number): Line {
  const silence = now - turn.lastUpdate;
  const facts = [
    describeElapsed(now - turn.since),
    ...(silence >= long && !isAsked ? [`silent for ${describeElapsed(silence)}`] : []),
    // While a question is open, Esc answers that.
    ...(turn.isCancelling || isAsked ? [] : ["Esc cancels"]),
  ];
  const activity = turn.isCancelling ? "Cancelling" : printableLine(turn.activity) || "Working";
  const mark = isAsked ? span("? ", "yellow") : span(`${spinnerAt(now)} `, "cyan");
  for (let shown = facts.length; shown > 0; shown -= 1) {
    const aside = span(`  ${facts.slice(0, shown).join(" · ")}`, "dim");
    const room = width - 2 - lineWidth([aside]);
    if (room >= Math.min(lineWidth([span(activity)]), 20) || shown === 1) {
      return truncate(
        [mark, ...truncate([span(activity, isAsked ? "yellow" : "cyan")], Math.max(8, room)), aside],
        width,
      );
    }
  }
  return [mark];
}

export function queueView(queued: readonly Prompt[], width: number): Line[] {
  const shown = queued.slice(0, maxQueued);
  const lines = shown.map(({ text }) => truncate([span("⋯ ", "yellow"), span(printableLine(text), "dim")], width));
  const more = queued.length - shown.length;
  return more === 0 ? lines : [...lines, [span(`  and ${more} more`, "dim")]];
}
