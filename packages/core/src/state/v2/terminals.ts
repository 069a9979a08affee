import type { Received } from "@acp/schema/v2/types";
import { List } from "../shared/list.ts";
import { merged, placed } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { TerminalItem } from "./timeline-items.ts";

/** Takes in what is told of a terminal: absent means unchanged, null cleared. Output replaces what was there. */
export function updateTerminal(state: AnyState, { output, ...patch }: Received.TerminalUpdate): AnyState {
  const terminal = merged(terminalOf(state, patch.terminalId), patch);
  if (output === undefined) return place(state, terminal);
  return place(state, { ...terminal, output: List.of(output === null ? [] : [output.data]) });
}

/** Adds to the output of a terminal. */
export function addTerminalOutput(state: AnyState, { terminalId, data }: Received.TerminalOutputChunk): AnyState {
  const terminal = terminalOf(state, terminalId);
  return place(state, { ...terminal, output: terminal.output.append(data) });
}

function place(state: AnyState, terminal: TerminalItem): AnyState {
  const terminals = placed(state.terminals, terminal, terminal.terminalId);
  return terminals === state.terminals ? state : { ...state, terminals };
}

function terminalOf({ terminals }: AnyState, terminalId: string): TerminalItem {
  return terminals.find("terminal", terminalId) ?? { type: "terminal", terminalId, output: List.empty };
}
