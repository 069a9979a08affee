import { visibleText } from "@acp/core/state";

import { type Line, span, truncate, wrapSpans } from "../../text/spans.ts";
import type { Format } from "../../text/style.ts";
import { textWidth } from "../../text/text-width.ts";
import type { ChoiceDialog, ChoiceEntry, ChoiceQuestion, Choices } from "./choice-dialog.ts";
import { questionBody, type QuestionLine } from "./question-lines.ts";

/** The fewest rows of a question. */
const leastRows = 3;

/** A question with its answers. `height`: the rows that it may take. */
export function choiceView(dialog: ChoiceDialog, width: number, height: number): Line[] {
  const { question, choices, scroll } = dialog;
  const { entries } = question;
  const escape = escapeOf(dialog);
  const keys = keyLines(choices, entries.length, escape, width).length;
  const answers = Math.min(entries.length, Math.max(2, height - leastRows - keys));
  const lines = [...question.lines, ...longAnswers(question, width)];
  return [
    ...questionBody(lines, width, Math.max(leastRows, height - answers - keys), scroll),
    ...(dialog.isExplaining
      ? wrapSpans([span(escape, "yellow")], width)
      : choiceList(choices, { entries, escape, width, height: answers })),
  ];
}

/** What Esc does, and the key for a reason. */
function escapeOf({ question: { escape, takesReason }, isExplaining }: ChoiceDialog): string {
  if (isExplaining) return "Type why. Enter: reject and send it · Esc: back to the answers";
  return takesReason === true ? `${escape} · Tab: reject and say why` : escape;
}

/** The answers that are too long for one row, whole. */
function longAnswers({ entries }: ChoiceQuestion<unknown>, width: number): readonly QuestionLine[] {
  return entries.flatMap((entry, index) =>
    isCut(entry, width)
      ? [{ judged: { label: `answer ${index + 1}: `, text: entryText(entry), tone: "dim" }, indent: 2 }]
      : [],
  );
}

type Entry = Omit<ChoiceEntry<unknown>, "value">;

/** The entries of {@link Choices}, numbered, with the keys that work here. */
export function choiceList(
  choices: Choices,
  look: {
    readonly entries: readonly Entry[];
    /** What Esc does, such as "Esc: reject". */
    readonly escape: string;
    readonly width: number;
    /** How many rows the entries may take; default: as many as there are. */
    readonly height?: number;
  },
): Line[] {
  const { entries, escape, width, height = entries.length } = look;
  const room = entries.length <= height ? height : height - 1;
  const offset = Math.max(0, Math.min((choices.selected ?? 0) - Math.floor(room / 2), entries.length - room));
  const below = entries.length - offset - room;
  const rows = entries.slice(offset, offset + room).map(({ label, aside = "" }, place): Line => {
    const index = offset + place;
    const isSelected = index === choices.selected;
    const colour: readonly Format[] = isSelected ? ["cyan"] : [];
    return [
      span(isSelected ? "❯ " : "  ", ...colour),
      span(index < 9 ? String(index + 1) : " ", "bold", ...colour),
      span(` ${visibleText(label)}`, ...colour),
      ...(aside === "" ? [] : [span(`  ${visibleText(aside)}`, "dim", ...colour)]),
    ];
  });
  const more: Line[] = room === height ? [] : [[span(`↕ ${offset} answers above, ${below} below: ↑↓`, "yellow")]];
  return [
    ...[...rows, ...more].map((line) => truncate(line, width)),
    ...keyLines(choices, entries.length, escape, width),
  ];
}

/** An entry as one line. */
function entryText({ label, aside = "" }: Entry): string {
  return visibleText(aside === "" ? label : `${label}  ${aside}`);
}

/** Whether an entry does not fit into a row of this width. */
function isCut(entry: Entry, width: number): boolean {
  return textWidth(entryText(entry)) + "❯ 1 ".length > width;
}

function keyLines(choices: Choices, count: number, escape: string, width: number): Line[] {
  return wrapSpans([span(keysOf(choices, count, escape), choices.isTyping ? "yellow" : "dim")], width);
}

function keysOf(choices: Choices, count: number, escape: string): string {
  if (choices.isTyping) return `Keys go to your prompt. To answer, press Enter or ↓ first. ${escape}`;
  const numbers = count > 1 ? `1-${Math.min(9, count)}` : "1";
  return [...(count === 0 ? [] : [`${numbers} or ↑↓ and Enter: answer`]), escape].join(" · ");
}
