import { endOf } from "./call-end.ts";
import type { ShownCall } from "../shown.ts";
import type { TerminalState } from "./terminal-tail.ts";
import { type Line, wrapSpans } from "../text/spans.ts";
import { commandLines, fileLine } from "./call.ts";
import { diffRows } from "../diff/diff.ts";
import { outputLines } from "./output.ts";

/** A tool call with its terminals, by id. */
export interface DrawnCall {
  readonly call: ShownCall;
  readonly terminals: ReadonlyMap<string, TerminalState>;
}

/** A part of what stands below the heading of a call. */
export interface CallPart {
  readonly kind: "command" | "diff" | "terminal" | "text";
  /** Its own in the call. */
  readonly key: string;
  readonly lines: readonly Line[];
  /** How many lines there were before these. */
  readonly omitted: number;
  /** How many of the lines will stay as they are. */
  readonly settled: number;
  /** Of the last line of a terminal, see {@link TerminalState.last}. */
  readonly last?: TerminalState["last"];
}

/**
 * What a call does, and what came out of it: its lines are no wider than this, apart from those of outputs. Of long changes
 * lines are left out, unless `isWhole`.
 */
export function callParts({ call, terminals }: DrawnCall, cwd: string, width: number, isWhole = false): CallPart[] {
  const parts: CallPart[] = [];
  const add = (kind: CallPart["kind"], key: string, lines: readonly Line[]): void => {
    if (lines.length > 0) parts.push({ kind, key, lines, omitted: 0, settled: lines.length });
  };
  const said = [call.title];
  const addCommand = (command: string): void => {
    add(
      "command",
      `command ${command}`,
      commandLines(command, said).flatMap((line) => wrapSpans(line, width)),
    );
    said.push(command);
  };
  for (const command of call.commands) addCommand(command);
  for (const content of call.content) {
    if (content.kind !== "diff") continue;
    add(
      "command",
      `file ${content.key}`,
      fileLine(content, call, cwd).flatMap((line) => wrapSpans(line, width)),
    );
    add("diff", `diff ${content.key}`, diffRows(content, width, isWhole));
  }
  for (const content of call.content) {
    const terminal = content.kind === "terminal" ? terminals.get(content.terminalId) : undefined;
    if (content.kind !== "terminal" || terminal === undefined) continue;
    addCommand(terminal.command);
    parts.push(terminalPart(content.terminalId, terminal));
  }
  const isOver = endOf(call, (id) => terminals.get(id)?.exit) !== undefined;
  // Some agents send nothing for a terminal, but all of it with the end of the call.
  const hasOutput = (id: string): boolean => {
    const terminal = terminals.get(id);
    return terminal !== undefined && (!isOver || terminal.lines.length > 0);
  };
  const text = outputLines(call, hasOutput, width, isWhole);
  if (text.lines.length > 0) parts.push({ kind: "text", key: "text", omitted: 0, ...text });
  return parts;
}

/** What a terminal has printed. */
function terminalPart(terminalId: string, { lines, omitted, last }: TerminalState): CallPart {
  const settled = lines.length - (last === undefined ? 0 : 1);
  return { kind: "terminal", key: `terminal ${terminalId}`, lines, omitted, settled, last };
}
