import { type TerminalReport, terminalMetaNames } from "../../v1/terminal-meta.ts";
import { remember } from "../shared/content.ts";
import { List } from "../shared/list.ts";
import type { Meta } from "../shared/timeline-items.ts";
import type { AnyState } from "./session-state.ts";
import type { TerminalItem } from "./timeline-items.ts";

/** Applies what a tool call tells of terminals of the agent's own. */
export function updateTerminals(state: AnyState, toolCallId: string, reports: readonly TerminalReport[]): AnyState {
  let { terminals } = state;
  for (const { terminalId, data, ...change } of reports) {
    const known = terminals.find("terminal", terminalId);
    const terminal: TerminalItem = known ?? { type: "terminal", terminalId, toolCallId, output: List.empty };
    const output = data === undefined || data === "" ? terminal.output : terminal.output.append(data);
    terminals = terminals.put({ ...terminal, ...change, output }, terminalId);
  }
  return terminals === state.terminals ? state : { ...state, terminals };
}

/** The custom data of a call without those that are in its terminal now; `undefined` if there are no others. */
export function withoutTerminals(meta: Meta): Meta | undefined {
  const names: readonly string[] = terminalMetaNames;
  const others = Object.entries(meta).filter(([name]) => !names.includes(name));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** The output of a terminal, control sequences included. Takes no time for the same list again. */
export const terminalText: (output: List<string>) => string = remember("terminalText", (output) =>
  output.slice().join(""),
);
