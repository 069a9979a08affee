import type { Received } from "@acp/schema/v2/types";
import { remember } from "../shared/content.ts";
import { List } from "../shared/list.ts";
import { applyPatchWithMeta } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { TerminalItem } from "./timeline-items.ts";
import { requireObject } from "../../base/require-argument.ts";

/** Applies what the agent reports of a terminal: absent means unchanged, null clears. Output is replaced. */
export function updateTerminal(state: AnyState, { output, ...patch }: Received.TerminalUpdate): AnyState {
  const terminal = applyPatchWithMeta(terminalOf(state, patch.terminalId), patch);
  if (output === undefined) return placeTerminal(state, terminal);
  return placeTerminal(state, { ...terminal, output: List.of(output === null ? [] : [output.data]) });
}

/** Adds to the output of a terminal. */
export function addTerminalOutput(state: AnyState, { terminalId, data }: Received.TerminalOutputChunk): AnyState {
  const terminal = terminalOf(state, terminalId);
  return placeTerminal(state, { ...terminal, output: terminal.output.append(data) });
}

function placeTerminal(state: AnyState, terminal: TerminalItem): AnyState {
  const terminals = state.terminals.put(terminal, terminal.terminalId);
  return terminals === state.terminals ? state : { ...state, terminals };
}

function terminalOf({ terminals }: AnyState, terminalId: string): TerminalItem {
  return terminals.find("terminal", terminalId) ?? { type: "terminal", terminalId, output: List.empty };
}

/**
 * The bytes of a terminal's output, control sequences included. Skips pieces that are not base64.
 *
 * The time it takes grows with the output. To follow a terminal as it writes, decode what `output.slice(count)` returns:
 * each piece is base64 of its own.
 */
export function terminalBytes(output: Iterable<string>): Uint8Array<ArrayBuffer> {
  requireObject(output, "terminalBytes() takes the output of a terminal", Symbol.iterator);
  const pieces = Array.from(output, decodeBase64);
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** The same as UTF-8 text, even if a character is split over two pieces. Takes no time for the same list again. */
export const terminalText: (output: List<string>) => string = remember("terminalText", (output) =>
  new TextDecoder().decode(terminalBytes(output)),
);

function decodeBase64(base64: string): Uint8Array {
  let binary = "";
  try {
    binary = atob(base64);
  } catch {
    // A user interface cannot do anything about it.
  }
  return Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
}
