export type ModeId = "ask" | "code";

/** The modes of a session. Version 1 calls them modes, version 2 values of a configuration option. */
export const modes: readonly { readonly id: ModeId; readonly name: string; readonly description: string }[] = [
  { id: "ask", name: "Ask", description: "Asks before it changes a file" },
  { id: "code", name: "Code", description: "Changes files without asking, but for protected ones" },
];

export function isModeId(id: unknown): id is ModeId {
  return modes.some((mode) => mode.id === id);
}
