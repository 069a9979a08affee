import { isFields } from "@acp/schema";
import { hasContent } from "./losses.ts";
import { arrayOf, type Json, textOf } from "./message.ts";

// The Go dialect does not define the contents of a planUpdate. The only member of an update for text is `chunk`, so a plan goes
// there as a readable list. The additional `entries` keep all of it.

const marks: Readonly<Record<string, string>> = { pending: " ", in_progress: "~", completed: "x" };

export function planForGo(entries: unknown): Json {
  const lines = arrayOf(entries)
    .filter(isFields)
    .map(({ content, status }) => `- [${marks[textOf(status) ?? ""] ?? " "}] ${textOf(content) ?? ""}`);
  return { type: "planUpdate", chunk: lines.join("\n"), entries };
}

/** The entries of a planUpdate, or those in its text; `undefined` if it contains no plan. */
export function planEntries({ entries, plan, chunk }: Json): readonly unknown[] | undefined {
  const lists = [entries, isFields(plan) ? plan["entries"] : plan];
  const list = lists.find((one) => Array.isArray(one) && (one.length === 0 || one.some(isFields)));
  if (list !== undefined) return arrayOf(list);
  if (typeof chunk !== "string") return [entries, plan, chunk].some((part) => hasContent(part)) ? undefined : [];
  return chunk
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(entryOf);
}

function entryOf(line: string): Json {
  const [, mark = " ", content = line] = /^(?:[-*]|\d+[.)])?\s*(?:\[(.)\]\s*)?(.*)$/.exec(line) ?? [];
  const status = mark === " " ? "pending" : mark === "~" ? "in_progress" : "completed";
  return { content, priority: "medium", status };
}
