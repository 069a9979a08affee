import type { AgentSession } from "@acp/core";
import { createSettings, type Settings } from "@acp/core/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { isModeId, type ModeId, modes } from "../modes.ts";

/** What the user can set in a session; kept with its conversation. */
export const settings: Settings<{ mode: ModeId }> = createSettings(
  { modes: { currentModeId: "ask", availableModes: modes } },
  {
    onChange: ({ state }: AgentSession<Conversation>, { value }) => {
      if (isModeId(value)) state.mode = value;
    },
  },
);
