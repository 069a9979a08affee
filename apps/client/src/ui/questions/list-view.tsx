import { visibleText } from "@acp/core/state";
import { Box, Text } from "ink";
import type { ReactNode } from "react";

import { printableLine } from "../../text/printable.ts";
import type { ListEntry, ListPicker } from "./list-picker.ts";

/** A row of the list: an entry, or the heading of a group. */
type Row = { readonly heading: string } | { readonly entry: ListEntry<unknown>; readonly index: number };

/** The part of a list around the selected entry, with what was typed to narrow it. */
export function ListView(props: {
  readonly picker: ListPicker<unknown>;
  readonly title: string;
  /** What keys do, besides arrows and typing. */
  readonly keys: string;
  readonly height: number;
  /** What stands before entries that are marked, and before others. */
  readonly marks?: readonly [marked: string, other: string];
}): ReactNode {
  const { picker, title, keys, height, marks = ["●", " "] } = props;
  const rows = rowsOf(picker.shown);
  const room = Math.max(2, height - 3);
  const selected = rows.findIndex((row) => "index" in row && row.index === picker.selected);
  const offset = Math.max(0, Math.min(selected - Math.floor(room / 2), rows.length - room));
  const hidden = rows.length - room;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap="truncate">
        <Text bold>{title}</Text>
        {picker.filter === "" ? (
          <Text dimColor>{"  type to filter"}</Text>
        ) : (
          <Text color="cyan">{`  ${printableLine(picker.filter)}▏`}</Text>
        )}
        {hidden > 0 ? <Text dimColor>{`  ${picker.selected + 1} of ${picker.shown.length}`}</Text> : undefined}
      </Text>
      {rows.slice(offset, offset + room).map((row, index) => (
        <RowView key={offset + index} row={row} picker={picker} marks={marks} />
      ))}
      {rows.length === 0 ? <Text dimColor>{"  nothing fits"}</Text> : undefined}
      <Text dimColor wrap="truncate">
        {keys}
      </Text>
    </Box>
  );
}

function RowView(props: {
  readonly row: Row;
  readonly picker: ListPicker<unknown>;
  readonly marks: readonly [string, string];
}): ReactNode {
  const { row, picker, marks } = props;
  if ("heading" in row) return <Text dimColor wrap="truncate">{`  ${visibleText(row.heading)}`}</Text>;
  const { label, detail, isMarked = false } = row.entry;
  const isSelected = row.index === picker.selected;
  const number = picker.filter === "" && row.index < 9 ? String(row.index + 1) : " ";
  return (
    <Text wrap="truncate" {...(isSelected ? { color: "cyan" } : {})}>
      {`${isSelected ? "❯" : " "} `}
      <Text dimColor>{number}</Text>
      {` ${isMarked ? marks[0] : marks[1]} `}
      <Text bold={isMarked}>{visibleText(label)}</Text>
      {detail === undefined || detail === "" ? undefined : <Text dimColor>{`  ${visibleText(detail)}`}</Text>}
    </Text>
  );
}

function rowsOf(entries: readonly ListEntry<unknown>[]): Row[] {
  return entries.flatMap((entry, index): Row[] => {
    const isNewGroup = entry.group !== undefined && entry.group !== entries[index - 1]?.group;
    return [...(isNewGroup ? [{ heading: entry.group ?? "" }] : []), { entry, index }];
  });
}
