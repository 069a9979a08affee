import { Box, Text } from "ink";
import { type ReactNode, useMemo } from "react";
import { visibleText } from "@acp/core/state";

import type { ChoiceDialog, ChoiceQuestion, Choices } from "./choice-dialog.ts";
import { QuestionBody } from "./question-body.tsx";
import type { QuestionLine } from "./question-lines.ts";
import { span, wrapSpans } from "../../text/spans.ts";
import { textWidth } from "../../text/text-width.ts";

/** The fewest rows of a question. */
const leastRows = 3;

/** A question with its answers. `height`: the rows that it may take. */
export function ChoiceView(props: {
  readonly dialog: ChoiceDialog;
  readonly width: number;
  readonly height: number;
}): ReactNode {
  const { dialog, width, height } = props;
  const { question, choices, scroll } = dialog;
  const { entries, escape } = question;
  const lines = useMemo(() => [...question.lines, ...longAnswers(question, width)], [question, width]);
  const keys = keyRows(choices, entries.length, escape, width);
  const answers = Math.min(entries.length, Math.max(2, height - leastRows - keys));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <QuestionBody lines={lines} width={width} height={Math.max(leastRows, height - answers - keys)} scroll={scroll} />
      <ChoiceList choices={choices} entries={entries} escape={escape} height={answers} />
    </Box>
  );
}

/** The answers that are too long for one row, whole. */
function longAnswers({ entries }: ChoiceQuestion<unknown>, width: number): readonly QuestionLine[] {
  return entries.flatMap((entry, index) =>
    isCut(entry, width)
      ? [{ judged: { label: `answer ${index + 1}: `, text: entryText(entry), tone: "dim" }, indent: 2 }]
      : [],
  );
}

interface Entry {
  readonly label: string;
  readonly aside?: string | undefined;
}

/** The entries of {@link Choices}, numbered, with the keys that work here. */
export function ChoiceList(props: {
  readonly choices: Choices;
  readonly entries: readonly Entry[];
  /** What Esc does, such as "Esc: reject". */
  readonly escape: string;
  /** How many rows the entries may take; default: as many as there are. */
  readonly height?: number;
}): ReactNode {
  const { choices, entries, escape, height = entries.length } = props;
  const room = entries.length <= height ? height : height - 1;
  const offset = Math.max(0, Math.min((choices.selected ?? 0) - Math.floor(room / 2), entries.length - room));
  const below = entries.length - offset - room;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {entries.slice(offset, offset + room).map(({ label, aside = "" }, place) => {
        const index = offset + place;
        return (
          <Text key={index} wrap="truncate" {...(index === choices.selected ? { color: "cyan" } : {})}>
            {index === choices.selected ? "❯ " : "  "}
            <Text bold>{index < 9 ? index + 1 : " "}</Text>
            {` ${visibleText(label)}`}
            {aside === "" ? undefined : <Text dimColor>{`  ${visibleText(aside)}`}</Text>}
          </Text>
        );
      })}
      {room === height ? undefined : (
        <Text color="yellow" wrap="truncate">{`↕ ${offset} answers above, ${below} below: ↑↓`}</Text>
      )}
      {choices.isTyping ? (
        <Text color="yellow">{keysOf(choices, entries.length, escape)}</Text>
      ) : (
        <Text dimColor>{keysOf(choices, entries.length, escape)}</Text>
      )}
    </Box>
  );
}

/** An entry as one line. */
function entryText({ label, aside = "" }: Entry): string {
  return visibleText(aside === "" ? label : `${label}  ${aside}`);
}

/** Whether an entry does not fit into a row of this width. */
function isCut(entry: Entry, width: number): boolean {
  return textWidth(entryText(entry)) + "❯ 1 ".length > width;
}

/** How many rows the keys take. */
function keyRows(choices: Choices, count: number, escape: string, width: number): number {
  return wrapSpans([span(keysOf(choices, count, escape))], width).length;
}

function keysOf(choices: Choices, count: number, escape: string): string {
  if (choices.isTyping) return `Keys go to your prompt. To answer, press Enter or ↓ first. ${escape}`;
  const numbers = count > 1 ? `1-${Math.min(9, count)}` : "1";
  return [...(count === 0 ? [] : [`${numbers} or ↑↓ and Enter: answer`]), escape].join(" · ");
}
