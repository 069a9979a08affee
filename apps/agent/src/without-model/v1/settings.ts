import type { AgentSession } from "@acp/core";
import { createSettings, type Settings } from "@acp/core/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { isModeId, type ModeId, modes } from "../modes.ts";

/** The settings of a session: its mode. The conversation stores it. */
export const settings: Settings<{ mode: ModeId }> = createSettings(
  { modes: { currentModeId: "ask", availableModes: modes } },
  {
    onChange: ({ state }: AgentSession<Conversation>, { value }) => {
      if (isModeId(value)) state.mode = value;
    },
  },
);
