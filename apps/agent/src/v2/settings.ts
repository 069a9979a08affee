import type { AgentSession } from "@acp/core/v2";
import { createSettings, type Settings } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { isModeId, type ModeId, modes } from "../modes.ts";

/** What the user can set in a session; kept with its conversation. A mode is an option of that category. */
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
