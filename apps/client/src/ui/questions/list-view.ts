import { visibleText } from "@acp/core/state";

import { printableLine } from "../../text/printable.ts";
import { type Line, span, truncate } from "../../text/spans.ts";
import type { Format } from "../../text/style.ts";
import type { ListEntry, ListPicker } from "./list-picker.ts";

/** A row of the list: an entry, or the heading of a group. */
type Row = { readonly heading: string } | { readonly entry: ListEntry<unknown>; readonly index: number };

export interface ListLook {
  readonly title: string;
  /** What keys do, besides arrows and typing. */
  readonly keys: string;
  readonly width: number;
  readonly height: number;
  /** What stands before entries that are marked, and before others. */
  readonly marks?: readonly [marked: string, other: string];
}

/** The part of a list around the selected entry, with what was typed to narrow it. */
export function listView(picker: ListPicker<unknown>, look: ListLook): Line[] {
  const { title, keys, width, height, marks = ["●", " "] } = look;
  const rows = rowsOf(picker.shown);
  const room = Math.max(2, height - 3);
  const selected = rows.findIndex((row) => "index" in row && row.index === picker.selected);
  const offset = Math.max(0, Math.min(selected - Math.floor(room / 2), rows.length - room));
  const filter =
    picker.filter === "" ? span("  type to filter", "dim") : span(`  ${printableLine(picker.filter)}▏`, "cyan");
  const place = rows.length > room ? [span(`  ${picker.selected + 1} of ${picker.shown.length}`, "dim")] : [];
  const lines: Line[] = [
    [span(title, "bold"), filter, ...place],
    ...rows.slice(offset, offset + room).map((row) => rowLine(row, picker, marks)),
    ...(rows.length === 0 ? [[span("  nothing fits", "dim")]] : []),
    [span(keys, "dim")],
  ];
  return lines.map((line) => truncate(line, width));
}

function rowLine(row: Row, picker: ListPicker<unknown>, marks: readonly [string, string]): Line {
  if ("heading" in row) return [span(`  ${visibleText(row.heading)}`, "dim")];
  const { label, detail = "", isMarked = false } = row.entry;
  const isSelected = row.index === picker.selected;
  const colour: readonly Format[] = isSelected ? ["cyan"] : [];
  const number = picker.filter === "" && row.index < 9 ? String(row.index + 1) : " ";
  return [
    span(isSelected ? "❯ " : "  ", ...colour),
    span(number, "dim", ...colour),
    span(` ${isMarked ? marks[0] : marks[1]} `, ...colour),
    span(visibleText(label), ...(isMarked ? (["bold"] as const) : []), ...colour),
    ...(detail === "" ? [] : [span(`  ${visibleText(detail)}`, "dim", ...colour)]),
  ];
}

function rowsOf(entries: readonly ListEntry<unknown>[]): Row[] {
  return entries.flatMap((entry, index): Row[] => {
    const isNewGroup = entry.group !== undefined && entry.group !== entries[index - 1]?.group;
    return [...(isNewGroup ? [{ heading: entry.group ?? "" }] : []), { entry, index }];
  });
}
