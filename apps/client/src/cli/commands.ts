import type { Command } from "./command.ts";

/** The commands of this program, in the order of the help. Each is loaded only to run or to describe it. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {};
