import { at, textAt } from "../peer/message.ts";

/** A tool call as its updates left it. */
export interface RecordedCall {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly status: string;
  /** The texts of its content, joined. */
  readonly output: string;
  /** All its members, merged. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** A question for permission, and its answer. */
export interface RecordedQuestion {
  readonly title: string;
  readonly options: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
  /** The chosen option; absent if the question was cancelled or is open. */
  readonly chosen?: string | undefined;
}

/** A line of a plan. */
export interface RecordedPlanEntry {
  readonly content: string;
  readonly status: string;
}

/** What a turn consists of, in order. */
export type RecordedItem =
  | { readonly type: "message" | "thought"; readonly text: string }
  | { readonly type: "call"; readonly call: RecordedCall }
  | { readonly type: "question"; readonly question: RecordedQuestion };

/** A turn as an agent has sent it. */
export interface TurnRecord {
  /** What the agent said, in one text. */
  readonly text: string;
  /** What it thought. */
  readonly thoughts: string;
  readonly calls: readonly RecordedCall[];
  readonly questions: readonly RecordedQuestion[];
  /** The last plan. */
  readonly plan: readonly RecordedPlanEntry[];
  /** Why it ended; absent while it runs, or if it failed. */
  readonly stopReason?: string | undefined;
  /** How the prompt failed. */
  readonly error?: { readonly code: number; readonly message: string } | undefined;
  /** Everything, in order. */
  readonly items: readonly RecordedItem[];
}

/** Something that happened in a turn: an update of the session, or a question. */
export type TurnEvent = { readonly update: unknown } | { readonly question: RecordedQuestion };

/** Puts the events of a turn together. */
export function recordTurn(
  events: readonly TurnEvent[],
  outcome: Pick<TurnRecord, "stopReason" | "error"> = {},
): TurnRecord {
  const items: RecordedItem[] = [];
  const places = new Map<string, number>();
  let plan: readonly RecordedPlanEntry[] = [];
  for (const event of events) {
    if ("question" in event) {
      items.push({ type: "question", question: event.question });
      continue;
    }
    const { update } = event;
    const kind = textAt(update, "sessionUpdate") ?? "";
    const text = textAt(update, "content", "text") ?? textOf(at(update, "content"));
    if (kind.startsWith("agent_message")) addText(items, "message", text);
    else if (kind.startsWith("agent_thought")) addText(items, "thought", text);
    else if (kind.startsWith("tool_call")) addCall(items, places, update, kind);
    else if (kind.startsWith("plan")) plan = planOf(update);
  }
  const calls = items.flatMap((item) => (item.type === "call" ? [item.call] : []));
  const questions = items.flatMap((item) => (item.type === "question" ? [item.question] : []));
  const textsOf = (type: string): string =>
    items.map((item) => (item.type === type && "text" in item ? item.text : "")).join("");
  return { text: textsOf("message"), thoughts: textsOf("thought"), calls, questions, plan, items, ...outcome };
}

function addText(items: RecordedItem[], type: "message" | "thought", text: string): void {
  const last = items.at(-1);
  if (last?.type === type) items[items.length - 1] = { type, text: last.text + text };
  else items.push({ type, text });
}

function addCall(items: RecordedItem[], places: Map<string, number>, update: unknown, kind: string): void {
  const id = textAt(update, "toolCallId") ?? "";
  const place = places.get(id) ?? items.length;
  const before = items[place];
  const known = before?.type === "call" ? before.call.members : {};
  const { sessionUpdate: _, ...told } = { sessionUpdate: "", ...(update as object) } as Record<string, unknown>;
  const members: Record<string, unknown> = { ...known };
  for (const [name, value] of Object.entries(told)) if (value !== null && value !== undefined) members[name] = value;
  // Version 2 appends content in chunks.
  if (kind === "tool_call_content_chunk") members["content"] = [...listOf(known["content"]), told["content"]];
  places.set(id, place);
  items[place] = { type: "call", call: callOf(id, members) };
}

function callOf(id: string, members: Readonly<Record<string, unknown>>): RecordedCall {
  return {
    id,
    title: textAt(members, "title") ?? "",
    kind: textAt(members, "kind") ?? "other",
    status: textAt(members, "status") ?? "pending",
    output: textOf(members["content"]),
    members,
  };
}

function planOf(update: unknown): readonly RecordedPlanEntry[] {
  const entries = listOf(at(update, "entries") ?? at(update, "plan", "entries"));
  return entries.map((entry) => ({
    content: textAt(entry, "content") ?? "",
    status: textAt(entry, "status") ?? "pending",
  }));
}

/** The texts of content. */
function textOf(content: unknown): string {
  return listOf(content)
    .map((block) => textAt(block, "text") ?? textAt(block, "content", "text") ?? textAt(block, "newText") ?? "")
    .join("");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
