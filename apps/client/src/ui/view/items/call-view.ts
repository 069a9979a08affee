import { endOf } from "../../../protocol/call-end.ts";
import { commandLines, fileLine, outputText, placesOf, titleLine } from "../../../render/call.ts";
import { describeDuration, describeElapsed } from "../../../render/words.ts";
import { type ClipLimits, clippedLines } from "../../../text/clip.ts";
import { cutLine, printable, printableLine } from "../../../text/printable.ts";
import {
  fillSpans,
  indent,
  type Line,
  lineWidth,
  type Span,
  span,
  truncate,
  withoutTabs,
  wrapSpans,
} from "../../../text/spans.ts";
import type { CallItem, TerminalState } from "../../chat-state.ts";
import { diffView } from "./diff-view.ts";
import type { Drawing } from "./drawing.ts";

const textLimits: ClipLimits = { head: 6, tail: 3 };
const terminalLimits: ClipLimits = { head: 12, tail: 8 };
/** How many rows one line of output takes at most, when it is alive no longer. */
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

function bodyLines(item: CallItem, drawing: Drawing): Line[] {
  const { call, terminals } = item;
  const width = drawing.width - 4;
  const said = [call.title];
  const lines: Line[] = [];
  // Of a change, the beginning is shown while it is alive, and of output the end. A remark takes a line.
  const room = (): number | undefined => {
    if (drawing.isWhole === true) return Infinity;
    return drawing.liveRows === undefined ? undefined : Math.max(1, drawing.liveRows - lines.length - 1);
  };
  const addCommand = (command: string): void => {
    const drawn = commandLines(command, said).flatMap((line) => wrapSpans(line, width));
    said.push(command);
    lines.push(...clippedLines(drawn, drawing.isWhole === true ? { head: Infinity, tail: 0 } : textLimits));
  };
  for (const command of call.commands) addCommand(command);
  for (const content of call.content) {
    if (content.kind !== "diff") continue;
    lines.push(...fileLine(content, call, drawing.cwd).flatMap((line) => wrapSpans(line, width)));
    const diff = diffView(content, width, drawing.isWhole === true);
    const rows = room();
    lines.push(...(rows === undefined ? diff : clippedLines(diff, { head: rows, tail: 0 })));
  }
  for (const content of call.content) {
    const terminal = content.kind === "terminal" ? terminals.get(content.terminalId) : undefined;
    if (terminal === undefined) continue;
    addCommand(terminal.command);
    lines.push(...terminalLines(terminal, width, room()));
  }
  lines.push(...textLines(item, width, room()));
  return lines;
}

function terminalLines({ lines, omitted }: TerminalState, width: number, rows: number | undefined): Line[] {
  // Of what only its end is shown, the rest is not drawn.
  const from = rows === undefined ? 0 : Math.max(0, lines.length - rows - 1);
  const drawn = lines.slice(from).flatMap((line) => outputLines(line, width, rows));
  return clippedLines(drawn, rows === undefined ? terminalLimits : { head: 0, tail: rows }, omitted + from);
}

function textLines({ call, terminals }: CallItem, width: number, rows: number | undefined): Line[] {
  const shown = outputText(call, (id) => (terminals.get(id)?.lines.length ?? 0) > 0).trimEnd();
  if (shown === "") return [];
  const lines = shown.split("\n").flatMap((line) => outputLines(line, width, rows));
  return clippedLines(lines, rows === undefined ? textLimits : { head: 0, tail: rows });
}

/** A line of output, broken as a terminal does. */
function outputLines(line: string, width: number, room: number | undefined): Line[] {
  const shown = printable(line);
  const rows = fillSpans([span(withoutTabs(room === Infinity ? shown : cutLine(shown)))], width);
  const limit = room === undefined ? maxRows : room === Infinity ? Infinity : 1;
  if (rows.length <= limit) return rows;
  const last = rows[limit - 1] ?? [];
  const cut = last.map(({ text, formats }) => span(text.slice(0, -1), ...formats));
  return [...rows.slice(0, limit - 1), [...cut, span("…", "dim")]];
}
