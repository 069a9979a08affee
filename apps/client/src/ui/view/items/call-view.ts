import {
  type CallPart,
  callParts,
  type ClipLimits,
  clippedLines,
  describeDuration,
  describeElapsed,
  endOf,
  fillSpans,
  indent,
  type Line,
  lineWidth,
  placesOf,
  type Span,
  span,
  titleLine,
  truncate,
  wrapSpans,
} from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { CallItem } from "../../chat-state.ts";
import type { Drawing } from "./drawing.ts";

/** Of changes, lines are left out already. */
const limits: Readonly<Record<CallPart["kind"], ClipLimits>> = {
  command: { head: 6, tail: 3 },
  diff: { head: Infinity, tail: 0 },
  terminal: { head: 12, tail: 8 },
  text: { head: 6, tail: 3 },
};
const wholly: ClipLimits = { head: Infinity, tail: Infinity };
/** How many rows one line of output takes at most. */
const maxRows = 4;

const bar: Line = [span("  │ ", "dim")];

/** Draws a tool call: what it is, how it is going, and what came out. */
export function callView(item: CallItem, drawing: Drawing): Line[] {
  if (drawing.askedCall === item.toolCallId) return headingLines(item, drawing);
  if (isFolded(item, drawing)) return headingLines(item, { ...drawing, liveRows: 0 });
  return [...headingLines(item, drawing), ...indent(bodyLines(item, drawing), bar)];
}

/** What an agent has read is of use to itself: one line says where it looked. */
function isFolded({ call, terminals }: CallItem, { isWhole = false, liveRows }: Drawing): boolean {
  if (isWhole || liveRows !== undefined || terminals.size > 0) return false;
  return (call.kind === "read" || call.kind === "search") && endOf(call, () => undefined)?.format === "green";
}

function headingLines(item: CallItem, drawing: Drawing): Line[] {
  const { width, cwd, now, spinner, liveRows } = drawing;
  const { call, since, until } = item;
  const end = endOf(call, (id) => item.terminals.get(id)?.exit);
  const time = until === undefined ? describeElapsed(now - since) : describeDuration(until - since);
  const isQuick = until === undefined ? now - since < 1000 : until - since < 50;
  // Waiting for the user does not count as its time.
  const hasTime = !isQuick && drawing.askedCall !== item.toolCallId;
  const aside = [
    ...(call.kind === "other" || call.kind === "" ? [] : [printableLine(call.kind)]),
    ...placesOf(call, cwd),
    ...(end === undefined || end.format === "green" || end.note === "" ? [] : [end.note]),
    ...(end === undefined || end.status === "completed" ? [] : [end.status]),
    ...(hasTime ? [time] : []),
  ].join(" · ");
  const title = titleLine(call);
  const mark = end === undefined ? runningMark(call.status, spinner) : span(`${end.mark} `, end.format);
  const after = span(aside === "" ? "" : `  ${aside}`, "dim");
  if (liveRows === undefined) return indent(wrapSpans([...title, after], width - 2), [mark], [span("  ")]);
  const room = Math.max(Math.ceil(width / 2), width - 2 - lineWidth([after]));
  return [truncate([mark, ...truncate(title, room), after], width)];
}

function runningMark(status: string, spinner: string): Span {
  return status === "pending" ? span("○ ", "cyan") : span(`${spinner} `, "cyan");
}

function bodyLines(item: CallItem, { width, cwd, liveRows, isWhole }: Drawing): Line[] {
  const room = width - 4;
  return callParts(item, cwd, room, isWhole).reduce<Line[]>((lines, part) => {
    if (liveRows === undefined) {
      const drawn = rowsOf(part, room, isWhole === true ? Infinity : maxRows);
      return [...lines, ...clippedLines(drawn, isWhole === true ? wholly : limits[part.kind], part.omitted)];
    }
    // Of a change, the beginning is shown while it is alive, and of output the end. A remark takes a line.
    const rows = Math.max(1, liveRows - lines.length - 1);
    if (part.kind === "command") return [...lines, ...clippedLines(part.lines, limits.command)];
    if (part.kind === "diff") return [...lines, ...clippedLines(part.lines, { head: rows, tail: 0 })];
    // Of what only its end is shown, the rest is not drawn.
    const from = Math.max(0, part.lines.length - rows - 1);
    const drawn = rowsOf({ ...part, lines: part.lines.slice(from) }, room, 1);
    return [...lines, ...clippedLines(drawn, { head: 0, tail: rows }, part.omitted + from)];
  }, []);
}

/** The lines of outputs are broken as a terminal does. */
function rowsOf({ kind, lines }: CallPart, width: number, limit: number): readonly Line[] {
  if (kind !== "terminal" && kind !== "text") return lines;
  return lines.flatMap((line) => {
    const rows = fillSpans(line, width);
    return rows.length <= limit
      ? rows
      : [...rows.slice(0, limit - 1), truncate([...(rows[limit - 1] ?? []), span(" ")], width)];
  });
}
