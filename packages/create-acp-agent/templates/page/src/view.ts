import { joinText, type TimelineItem } from "@acp/core/state";

/** How an item of a session reads; nothing if the page does not show it. */
export function textOf(item: TimelineItem): string | undefined {
  if (item.type === "tool_call") return `${item.title} (${item.status})`;
  return "chunks" in item ? joinText(item.chunks) : undefined;
}

/** What went wrong, for the user. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
