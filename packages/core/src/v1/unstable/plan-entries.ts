import type { PlanEntry, PlanUpdateContent } from "@acp/schema/v1/unstable/types";

/** Converts a plan of any form to a list of entries (PLAN-08). */
export function planEntries(plan: PlanUpdateContent): readonly PlanEntry[] {
  switch (plan.type) {
    case "items":
      return plan.entries;
    case "markdown":
      return markdownEntries(plan.content);
    default:
      // The user can open the file, or ask the agent about it.
      return [entry(plan.uri)];
  }
}

/** `- `, `* `, `1. ` or `1) `, and the box of a task after it, if there is one. */
const listItem = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[(?<box>.)\]\s+)?(?<text>\S.*)/u;
const fence = /^\s*(?:```|~~~)/;

/**
 * The tasks of a Markdown text, else the items of its lists, else the whole text as one entry. A ticked box is
 * completed, a half-ticked one (`[-]`, `[~]`, `[/]`) in progress.
 */
function markdownEntries(text: string): readonly PlanEntry[] {
  const items: { readonly box: string | undefined; readonly text: string }[] = [];
  let isCode = false;
  for (const line of text.split(/\r?\n/)) {
    if (fence.test(line)) isCode = !isCode;
    const found = isCode ? undefined : listItem.exec(line.trimEnd())?.groups;
    if (found?.["text"] !== undefined) items.push({ box: found["box"], text: found["text"] });
  }
  const tasks = items.filter(({ box }) => box !== undefined);
  const listed = tasks.length > 0 ? tasks : items;
  if (listed.length > 0) return listed.map((item) => entry(item.text, statusOf(item.box)));
  const whole = text.trim();
  return whole === "" ? [] : [entry(whole)];
}

function statusOf(box: string | undefined): PlanEntry["status"] {
  if (box === "x" || box === "X") return "completed";
  return box === "-" || box === "~" || box === "/" ? "in_progress" : "pending";
}

function entry(content: string, status: PlanEntry["status"] = "pending"): PlanEntry {
  return { content, priority: "medium", status };
}
