import type { AgentSession } from "@acp/core";

import type { Conversation } from "../conversation/conversation.ts";
import type { ModeId } from "../modes.ts";

/** Changes the mode from our side, and tells the client (MODE-05). */
export async function changeMode(session: AgentSession<Conversation>, mode: ModeId): Promise<void> {
  if (session.state.mode === mode) return;
  session.state.mode = mode;
  await session.update({ sessionUpdate: "current_mode_update", currentModeId: mode });
}
