import { visibleText } from "@acp/core/state";
import { type Line, span, textWidth, truncate } from "@acp/render";

import type { Completion } from "./completion.ts";

/** What the word before the cursor may become, below the editor. */
export function completionView(completion: Completion, width: number, height: number): Line[] {
  const { items, selected, isWaiting, kind } = completion;
  if (items.length === 0) {
    const text = isWaiting ? "Listing the files…" : kind === "file" ? "No such file" : "No such command";
    return [[span(`  ${text}`, "dim")]];
  }
  const room = Math.min(height, items.length);
  const offset = Math.max(0, Math.min(selected - Math.floor(room / 2), items.length - room));
  const labels = items.map(({ label }) => visibleText(label));
  const column = Math.min(Math.floor(width / 2), Math.max(...labels.map(textWidth)));
  return items.slice(offset, offset + room).map(({ detail }, index) => {
    const at = offset + index;
    const label = labels[at] ?? "";
    const gap = " ".repeat(Math.max(0, column - textWidth(label)));
    const colour = at === selected ? (["cyan"] as const) : [];
    const aside = detail === "" ? [] : [span(`${gap}  ${visibleText(detail)}`, "dim", ...colour)];
    return truncate([span(`${at === selected ? "❯" : " "} ${label}`, ...colour), ...aside], width);
  });
}
