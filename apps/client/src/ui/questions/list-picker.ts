import { visibleText } from "@acp/core/state";
import { type Format, type Line, span, truncate } from "@acp/render";
import { printableLine } from "@acp/render/text";

import { fuzzyScore } from "../../text/fuzzy.ts";
import type { Key } from "../input/keys.ts";
import { firstRow } from "./dialog.ts";

export interface ListEntry<Value> {
  readonly value: Value;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly group?: string | undefined;
  /** The current one, or one of several that are chosen. */
  readonly isMarked?: boolean;
}

/** A list of any length: what the user types narrows it, arrows and Enter choose, and so do the keys 1 to 9 at first. */
export class ListPicker<Value> {
  filter = "";
  /** The index of the selected entry among the shown ones. */
  selected = 0;
  #entries: readonly ListEntry<Value>[] = [];
  #shown: readonly ListEntry<Value>[] = [];

  constructor(entries: readonly ListEntry<Value>[]) {
    this.update(entries);
    this.selected = Math.max(
      0,
      entries.findIndex(({ isMarked }) => isMarked === true),
    );
  }

  /** The entries that fit what was typed. */
  get shown(): readonly ListEntry<Value>[] {
    return this.#shown;
  }

  get current(): ListEntry<Value> | undefined {
    return this.#shown[this.selected];
  }

  /** Shows other entries; the selection stays on the same one, wherever that is now. */
  update(entries: readonly ListEntry<Value>[]): void {
    const { current } = this;
    this.#entries = entries;
    this.#narrow();
    const now = this.#shown.findIndex(({ label, group }) => label === current?.label && group === current.group);
    if (now >= 0) this.selected = now;
  }

  /** Returns the entry that the key chose, or whether it did anything else. */
  press(key: Key): ListEntry<Value> | boolean {
    if (key.name === "enter" && !key.alt && !key.shift) return this.current ?? true;
    if (key.name === "text") return this.#type(key.text);
    const target = this.#targetOf(key);
    if (target !== undefined) {
      this.selected = Math.max(0, Math.min(target, this.#shown.length - 1));
      return true;
    }
    if (key.name === "backspace") return this.#setFilter(Array.from(this.filter).slice(0, -1).join(""));
    if (key.ctrl && key.name === "u") return this.#setFilter("");
    return false;
  }

  #type(text: string): ListEntry<Value> | true {
    const chosen = this.filter === "" && /^[1-9]$/u.test(text) ? this.#shown[Number(text) - 1] : undefined;
    return chosen ?? this.#setFilter(this.filter + text);
  }

  #targetOf({ name, ctrl }: Key): number | undefined {
    const last = this.#shown.length - 1;
    if (name === "up" || (ctrl && name === "p")) return this.selected === 0 ? last : this.selected - 1;
    if (name === "down" || (ctrl && name === "n")) return this.selected === last ? 0 : this.selected + 1;
    if (name === "pageup") return this.selected - 10;
    if (name === "pagedown") return this.selected + 10;
    if (name === "home") return 0;
    return name === "end" ? last : undefined;
  }

  #setFilter(filter: string): true {
    this.filter = filter;
    this.selected = 0;
    this.#narrow();
    return true;
  }

  #narrow(): void {
    const query = this.filter.trim().toLowerCase();
    const says = this.#entries.filter(({ label, detail = "", group = "" }) =>
      `${label} ${detail} ${group}`.toLowerCase().includes(query),
    );
    // Only what nothing says whole is looked for letter by letter.
    this.#shown = says.length > 0 ? says : this.#entries.filter(({ label }) => fuzzyScore(query, label) !== undefined);
    this.selected = Math.max(0, Math.min(this.selected, this.#shown.length - 1));
  }
}

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
  const offset = firstRow(selected, rows.length, room);
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
