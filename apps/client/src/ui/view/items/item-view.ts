import {
  describeDuration,
  type Format,
  indent,
  judgedSpans,
  type Line,
  lineWidth,
  span,
  textOf,
  truncate,
  withoutTabs,
  wrapSpans,
} from "@acp/render";
import { printable, printableLine } from "@acp/render/text";

import type { ChatItem } from "../../chat-state.ts";
import { callView } from "./call-view.ts";
import { withMarkers } from "../../input/editor/folds.ts";
import type { Drawing } from "./drawing.ts";
import { endedPlanView, planView } from "./plan-view.ts";
import { foldedThought, growingThought, wholeThought } from "./thought-view.ts";

/** Text wider than this is hard to read. */
const maxProse = 120;

export function proseWidth(width: number): number {
  return Math.min(width, maxProse);
}

/** Draws an item that is no message of the agent, as it is now. `before` is the item above it. */
export function itemView(item: Exclude<ChatItem, { kind: "agent" }>, drawing: Drawing, before?: ChatItem): Line[] {
  const width = proseWidth(drawing.width);
  switch (item.kind) {
    case "user":
      return userLines(item, drawing.isWhole === true ? [] : (item.pasted ?? []), width);
    case "thought":
      if (drawing.thoughts === "full") return wholeThought(item.text, width);
      return item.isOpen ? growingThought(item.text, width) : foldedThought(item.text, width);
    case "call":
      return callView(item, drawing);
    case "plan":
      return drawing.isWhole === true ? planView(item.entries, width) : endedPlanView(item.entries, width);
    case "answer":
      return answerLines(item, width);
    case "note":
      return noteLines(item, width);
    case "end":
      return endLines(item, width, before);
    default:
      return [sessionLine(item, drawing.width)];
  }
}

type UserItem = Extract<ChatItem, { kind: "user" }>;

function userLines({ text, attachments }: UserItem, pasted: readonly string[], width: number): Line[] {
  const spans = withMarkers(text.trim(), pasted).map(({ shown, isMarker }) =>
    isMarker ? span(shown, "magenta") : span(withoutTabs(printable(shown)), "bold"),
  );
  const files = attachments.map((path) => wrapSpans([span("@ ", "dim"), ...judgedSpans(path, "dim")], width - 2));
  return indent([...wrapSpans(spans, width - 2), ...files.flat()], [span("❯ ", "cyan", "bold")], [span("  ")]);
}

function answerLines(item: Extract<ChatItem, { kind: "answer" }>, width: number): Line[] {
  const question = judgedSpans(printableLine(item.question));
  const text = item.by === undefined ? item.answer : `${item.answer} (${item.by})`;
  const answer = [span(" → ", "dim"), ...judgedSpans(printableLine(text), "bold")];
  const mark = span("? ", "cyan");
  if (item.toolCallId === undefined)
    return indent(wrapSpans([...question, ...answer], width - 2), [mark], [span("  ")]);
  const room = Math.max(Math.ceil(width / 2), width - 2 - lineWidth(answer));
  return [truncate([mark, ...truncate(question, room), ...answer], width)];
}

const noteMarks: Readonly<Record<"info" | "warning" | "error", readonly [string, Format]>> = {
  info: ["· ", "dim"],
  warning: ["! ", "yellow"],
  error: ["✗ ", "red"],
};

function noteLines({ level, text }: Extract<ChatItem, { kind: "note" }>, width: number): Line[] {
  const [mark, format] = noteMarks[level];
  const lines = withoutTabs(printable(text).trim()).split("\n");
  const rows = lines.flatMap((line) => hangingRows(line, format, width - 2));
  return indent(rows, [span(mark, format)], [span("  ")]);
}

/** The rows of a line. Those of an indented one, such as a detail of an error, have more space before them. */
function hangingRows(line: string, format: Format, width: number): Line[] {
  const text = line.trimStart();
  const margin = Math.min(line.length - text.length, Math.floor(width / 2));
  const hanging = margin === 0 ? 0 : margin + 2;
  return indent(
    wrapSpans([span(text, format)], width - hanging),
    [span(" ".repeat(margin))],
    [span(" ".repeat(hanging))],
  );
}

function endLines(item: Extract<ChatItem, { kind: "end" }>, width: number, before: ChatItem | undefined): Line[] {
  const isGood = item.stopReason === "end_turn";
  const facts = [
    // Nothing came since the prompt: without a word the user would wait for more.
    ...(isGood && before?.kind === "user" ? ["The agent ended its turn without an answer"] : []),
    ...(isGood ? [] : [stopReasons[item.stopReason] ?? printableLine(item.stopReason)]),
    describeDuration(item.duration),
    ...(item.calls === 0 ? [] : [`${item.calls} tool ${item.calls === 1 ? "call" : "calls"}`]),
  ];
  return indent(
    wrapSpans([span(facts.join(" · "), isGood ? "dim" : "yellow")], width - 2),
    [span("■ ", isGood ? "dim" : "yellow")],
    [span("  ")],
  );
}

const stopReasons: Readonly<Record<string, string>> = {
  cancelled: "Cancelled",
  max_tokens: "Stopped: the answer reached its maximum length",
  max_turn_requests: "Stopped: the agent asked its model too often in this turn",
  refusal: "The agent refuses to go on",
};

function sessionLine({ title, sessionId }: Extract<ChatItem, { kind: "session" }>, width: number): Line {
  const text = title === undefined || title.trim() === "" ? `Session ${sessionId}` : title;
  const line = truncate([span("── "), ...judgedSpans(printableLine(text), "bold"), span(" ")], width - 4);
  const rule = Math.max(2, Math.min(width, 60) - textOf(line).length);
  return [...line.map(({ text: one, formats }) => span(one, ...formats, "cyan")), span("─".repeat(rule), "cyan")];
}
