import type { AgentSession } from "@acp/core/unstable";
import type { AvailableCommand } from "@acp/schema/v1";

import type { CoderSession } from "../session/coder-session.ts";

/** Tells the client the slash commands of a session that it knows. */
export async function announceCommands(session: AgentSession<CoderSession>): Promise<void> {
  const availableCommands = session.state.commands.map(({ name, description, hint }): AvailableCommand => {
    return { name, description, ...(hint === undefined ? {} : { input: { hint } }) };
  });
  await session.update({ sessionUpdate: "available_commands_update", availableCommands });
}

/** Does the same for a session that is being created: the commands follow the answer (CMD-01), so nobody can wait for it. */
export function announceLater(session: AgentSession<CoderSession>): void {
  announceCommands(session).catch(() => {
    // The client has disconnected.
  });
}
