import type { AgentSession } from "@acp/core/v2/unstable";
import type { AvailableCommand } from "@acp/schema/v2";

import type { CoderSession } from "../session/coder-session.ts";

/** The slash commands of a session, as the answers that open it have them. */
export function availableCommands({ commands }: CoderSession): AvailableCommand[] {
  return commands.map(({ name, description, hint }): AvailableCommand => {
    return { type: "command", name, description, ...(hint === undefined ? {} : { input: { type: "text", hint } }) };
  });
}

/** Tells the client the commands anew, when those from files have changed. */
export async function announceCommands(session: AgentSession<CoderSession>): Promise<void> {
  const update = "available_commands_update";
  await session.update({ sessionUpdate: update, availableCommands: availableCommands(session.state) });
}
