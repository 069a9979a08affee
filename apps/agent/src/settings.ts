import type { AgentSession } from "@acp/core";
import { createSettings, type Settings } from "@acp/core/agent";
import type { SessionMode } from "@acp/schema/v1";

import type { Conversation } from "./conversation/conversation.ts";

export type ModeId = "ask" | "code";

export const modes: readonly (SessionMode & { readonly id: ModeId })[] = [
  { id: "ask", name: "Ask", description: "Asks before it changes a file" },
  { id: "code", name: "Code", description: "Changes files without asking" },
];

export function isModeId(id: string): id is ModeId {
  return modes.some((mode) => mode.id === id);
}

/** What the user can set in a session; kept with its conversation. */
export const settings: Settings<{ mode: ModeId }> = createSettings(
  { modes: { currentModeId: "ask", availableModes: modes } },
  {
    onChange: ({ state }: AgentSession<Conversation>, { value }) => {
      if (typeof value === "string" && isModeId(value)) state.mode = value;
    },
  },
);
