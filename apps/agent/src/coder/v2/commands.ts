import type { AvailableCommand } from "@acp/schema/v2";

import type { CoderSession } from "../session/coder-session.ts";

/** The slash commands of a session, as the answers that open it have them. */
export function availableCommands({ commands }: CoderSession): AvailableCommand[] {
  return commands.map(({ name, description, hint }): AvailableCommand => {
    return { type: "command", name, description, ...(hint === undefined ? {} : { input: { type: "text", hint } }) };
  });
}
