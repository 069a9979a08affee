import type { AgentSession } from "@acp/core/v2";
import { createSettings, type Settings } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { isModeId, type ModeId, modes } from "../modes.ts";

/** The settings of a session: an option of the category `mode`. The conversation stores its value. */
export const settings: Settings<{ mode: ModeId }> = createSettings(
  {
    configOptions: [
      {
        type: "select",
        configId: "mode",
        category: "mode",
        name: "Mode",
        currentValue: "ask",
        options: modes.map(({ id, ...mode }) => ({ value: id, ...mode })),
      },
    ],
  },
  {
    onChange: ({ state }: AgentSession<Conversation>, { value }) => {
      if (isModeId(value)) state.mode = value;
    },
  },
);
