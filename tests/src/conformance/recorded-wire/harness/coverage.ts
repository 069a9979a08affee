import { type Edition, sentBy, tagsOf } from "./edition.ts";
import { parseLines, type Side } from "./line.ts";

/** What of an edition's tables and schema its recordings do not have, by name. */
export function missingIn(edition: Edition, recordings: readonly string[]): readonly string[] {
  const has = new Set(recordings.flatMap(featuresOf));
  return expectedOf(edition).filter((feature) => !has.has(feature));
}

function expectedOf(edition: Edition): readonly string[] {
  const sides = ["agent", "client"] as const;
  return [
    ...sides.flatMap((side) => {
      const { requests, notifications } = sentBy(edition, side);
      return [
        ...Object.keys(requests).flatMap((method) => [`${side} requests ${method}`, `${side} is answered ${method}`]),
        ...Object.keys(notifications).map((method) => `${side} notifies ${method}`),
      ];
    }),
    ...tagsOf(edition, "SessionUpdate", "sessionUpdate").map((tag) => `sessionUpdate ${tag}`),
    ...tagsOf(edition, "ContentBlock", "type").map((tag) => `type ${tag}`),
    ...tagsOf(edition, "ToolCallContent", "type").map((tag) => `type ${tag}`),
    ...tagsOf(edition, "StopReason", "").map((tag) => `stopReason ${tag}`),
    ...tagsOf(edition, "RequestPermissionOutcome", "outcome").map((tag) => `outcome ${tag}`),
    ...tagsOf(edition, "PermissionOptionKind", "").map((tag) => `kind ${tag}`),
    ...tagsOf(edition, "ToolKind", "").map((tag) => `kind ${tag}`),
    ...tagsOf(edition, "ToolCallStatus", "").map((tag) => `status ${tag}`),
    ...tagsOf(edition, "PlanEntryStatus", "").map((tag) => `status ${tag}`),
    ...tagsOf(edition, "PlanEntryPriority", "").map((tag) => `priority ${tag}`),
  ];
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
}

/** The features that a recording has: who sends what, and the tags that occur. */
function featuresOf(recording: string): readonly string[] {
  const features = new Set<string>();
  const asked: Record<Side, Map<string, unknown>> = { agent: new Map(), client: new Map() };
  for (const line of parseLines(recording)) {
    const message = "from" in line ? parsed(line.text) : undefined;
    if (message === undefined || !("from" in line)) continue;
    const other = line.from === "agent" ? "client" : "agent";
    const id = JSON.stringify(message.id);
    if (typeof message.method === "string") {
      features.add(`${line.from} ${message.id === undefined ? "notifies" : "requests"} ${message.method}`);
      asked[line.from].set(id, message.method);
    } else if (message.result !== undefined) features.add(`${other} is answered ${String(asked[other].get(id))}`);
    addTags(message, features);
  }
  return [...features];
}

const tagMembers = new Set(["sessionUpdate", "type", "stopReason", "outcome", "kind", "status", "priority"]);

function addTags(value: unknown, features: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [member, part] of Object.entries(value)) {
    if (tagMembers.has(member) && typeof part === "string") features.add(`${member} ${part}`);
    addTags(part, features);
  }
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
