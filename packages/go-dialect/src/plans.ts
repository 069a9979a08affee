import { isFields } from "@acp/schema";
import { saysSomething } from "./losses.ts";
import { arrayOf, type Json, textOf } from "./message.ts";

/*
 * The Go dialect names a planUpdate and does not say what is in it. Its update has one member that holds
 * text, so that is where a plan goes, as a list that people can read; `entries` beside it keeps all of it
 * for a peer that looks there.
 */

const marks: Readonly<Record<string, string>> = { pending: " ", in_progress: "~", completed: "x" };

export function planForGo(entries: unknown): Json {
  const lines = arrayOf(entries)
    .filter(isFields)
    .map(({ content, status }) => `- [${marks[textOf(status) ?? ""] ?? " "}] ${textOf(content) ?? ""}`);
  return { type: "planUpdate", chunk: lines.join("\n"), entries };
}

/** The entries of a planUpdate: as they are, or read from its text; `undefined` if what is in it is no plan. */
export function planEntries({ entries, plan, chunk }: Json): readonly unknown[] | undefined {
  const lists = [entries, isFields(plan) ? plan["entries"] : plan];
  const given = lists.find((list) => Array.isArray(list) && (list.length === 0 || list.some(isFields)));
  if (given !== undefined) return arrayOf(given);
  if (typeof chunk !== "string") return [entries, plan, chunk].some((part) => saysSomething(part)) ? undefined : [];
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
