// Tool calls and what they have produced.
import { diff } from "@acp/core/v2/agent";
import { unknownVariant } from "@acp/schema";
import type * as V1 from "@acp/schema/v1/types";
import type * as V2 from "@acp/schema/v2/types";
import { defined } from "./convert-known.ts";
import { readPatch, sidesOf } from "./patch-sides.ts";
import { contentDown, contentUp } from "./prompts.ts";

/** The text of a terminal of version 2; `undefined` for one that is unknown. */
export type TerminalText = (terminalId: string) => string | undefined;

/** A new or changed tool call of version 1, as version 2 has it: there, both are the same. */
export function callUp({
  content,
  ...call
}: V1.Received.ToolCall | V1.Received.ToolCallUpdate): V2.Received.ToolCallUpdate {
  return { ...call, ...(content === undefined ? {} : { content: content && content.map(toolContentUp) }) };
}

/** What a tool call of version 1 has produced. A diff becomes a patch, which leaves out unchanged lines. */
function toolContentUp(item: V1.Received.ToolCallContent): V2.Received.ToolCallContent {
  if (item.type === "content") return { ...item, content: contentUp(item.content) };
  if (item.type !== "diff") return item;
  const { type: _, path, oldText, newText, ...rest } = item;
  return { ...diff({ path, oldText, newText }), ...rest };
}

const kinds: ReadonlySet<unknown> = new Set<V1.ToolKind>([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
]);

/** `undefined` for a status that version 1 has no word for, and that says neither that the call runs nor that it is over. */
const statuses: Readonly<Record<string, V1.ToolCallStatus | undefined>> = {
  pending: "pending",
  in_progress: "in_progress",
  paused: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "failed",
};

/** A changed tool call of version 2 in version 1. What is cleared is empty, or unchanged where version 1 has nothing empty. */
export function callDown(call: V2.Received.ToolCallUpdate, textOf: TerminalText): V1.ToolCallUpdate {
  const { capabilities: _, kind, status, content, locations, ...rest } = call;
  return defined({
    ...rest,
    kind: kind == null ? undefined : kinds.has(kind) ? (kind as V1.ToolKind) : "other",
    status: status == null || !Object.hasOwn(statuses, status) ? undefined : statuses[status],
    content: content === undefined ? undefined : toolContentsDown(content ?? [], textOf),
    locations: locations === null ? [] : locations,
  });
}

/** A tool call that the client does not know yet. Version 1 wants a title, and no null. */
export function newCallDown(call: V1.ToolCallUpdate): V1.ToolCall {
  const { title, name, kind, status, content, locations, ...rest } = call;
  return defined({
    ...rest,
    title: title ?? name ?? "Tool call",
    name: name ?? undefined,
    kind: kind ?? undefined,
    status: status ?? undefined,
    content: content ?? undefined,
    locations: locations ?? undefined,
  });
}

/** What a tool call of version 2 has produced, in version 1. */
export function toolContentsDown(
  items: readonly V2.Received.ToolCallContent[],
  textOf: TerminalText,
): V1.ToolCallContent[] {
  return items.flatMap((item) => toolContentDown(item, textOf));
}

function toolContentDown(item: V2.Received.ToolCallContent, textOf: TerminalText): V1.ToolCallContent[] {
  switch (item.type) {
    case "content":
      return [{ ...item, content: contentDown(item.content) }];
    case "diff":
      return diffDown(item);
    case "terminal": {
      const shown = textOf(item.terminalId);
      return [text(shown === undefined ? "[terminal]" : fenced(shown))];
    }
    default:
      return [text(`[${String(item.received["type"])}]`)];
  }
}

/** The hunks of each file. A file without text in the patch is named. */
function diffDown({ changes, patch, _meta }: V2.Received.Diff): V1.ToolCallContent[] {
  const patches = patch?.format === "git_patch" ? readPatch(patch.text) : [];
  const items = changes.flatMap((change, index): V1.ToolCallContent[] => {
    if (change.operation === unknownVariant) return [text(`[${String(change.received["operation"])}]`)];
    const { operation, path } = change;
    const sides = sidesOf(patches, path, index, changes.length);
    const moved = "oldPath" in change ? [text(`${operation}: ${change.oldPath} -> ${path}`)] : [];
    if (sides === undefined || (sides.oldText === "" && sides.newText === ""))
      return operation === "add" && sides !== undefined
        ? [{ type: "diff", path, oldText: null, newText: "" }]
        : moved.length > 0
          ? moved
          : [text(`${operation}: ${path}`)];
    return [
      ...moved,
      { type: "diff", path, oldText: operation === "add" ? null : sides.oldText, newText: sides.newText },
    ];
  });
  const unread = patch != null && patches.length === 0 ? [text(fenced(patch.text))] : [];
  const [first, ...others] = [...items, ...unread];
  return first === undefined ? [] : [_meta == null ? first : { ...first, _meta }, ...others];
}

function text(content: string): V1.ToolCallContent {
  return { type: "content", content: { type: "text", text: content } };
}

/** A block of code in Markdown, with a fence that the text does not have. */
function fenced(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${content}${content === "" || content.endsWith("\n") ? "" : "\n"}${fence}`;
}
