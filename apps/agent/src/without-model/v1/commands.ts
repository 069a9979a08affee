import type { AvailableCommand } from "@acp/schema/v1";

import { instructions } from "../instructions/index.ts";

/** All instructions as slash commands (CMD-02). */
export const availableCommands: AvailableCommand[] = instructions.map(({ name, summary, hint }) => ({
  name,
  description: summary,
  ...(hint === undefined ? {} : { input: { hint } }),
}));
