import { readFileCommands } from "../../context/commands/file-commands.ts";
import type { Command } from "./command.ts";
import { ownCommands } from "./own-commands.ts";

/** Where the commands of a session come from. */
export interface CommandSources {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The folder with the user's own configuration; absolute. Default: none. */
  readonly configFolder?: string | undefined;
}

/** Reads the commands of a session: those of the agent, and those from files. A file cannot replace a command of the agent. */
export async function readCommands(sources: CommandSources): Promise<readonly Command[]> {
  const { cwd, additionalDirectories, configFolder } = sources;
  const own = new Set(ownCommands.map(({ name }) => name));
  const fromFiles = await readFileCommands([cwd, ...additionalDirectories], configFolder);
  const others = fromFiles.filter(({ name }) => !own.has(name));
  return [...ownCommands, ...others.map(({ expand, ...command }) => toCommand(command, expand))];
}

function toCommand(described: Omit<Command, "run">, expand: (input: string) => string): Command {
  return { ...described, run: (input) => Promise.resolve(expand(input)) };
}

/** True if both lists look the same to the client, which knows everything but the commands' actions. */
export function areShownAlike(some: readonly Command[], others: readonly Command[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
