import { RequestError } from "@acp/core";
import type { SessionMode, SessionModeState } from "@acp/schema/v1";

export type ModeId = "ask" | "code";

export const modes: readonly (SessionMode & { readonly id: ModeId })[] = [
  { id: "ask", name: "Ask", description: "Asks before it changes a file" },
  { id: "code", name: "Code", description: "Changes files without asking" },
];

/** The modes as the answers that open a session tell them (MODE-01). */
export function modeState(current: ModeId): SessionModeState {
  return { currentModeId: current, availableModes: [...modes] };
}

export function isModeId(id: string): id is ModeId {
  return modes.some((mode) => mode.id === id);
}

/** @throws {RequestError} `-32602` if there is no such mode (MODE-02). */
export function toModeId(id: string): ModeId {
  if (isModeId(id)) return id;
  throw RequestError.invalidParams(`No such mode: ${id}`, { modeId: id, available: modes.map((mode) => mode.id) });
}
