import type { AvailableCommand } from "@acp/schema/v2";

import { instructions } from "../instructions/index.ts";

/** All instructions as slash commands. */
export const availableCommands: AvailableCommand[] = instructions.map(({ name, summary, hint }) => ({
  type: "command",
  name,
  description: summary,
  ...(hint === undefined ? {} : { input: { type: "text", hint } }),
}));
