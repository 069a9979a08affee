import { parseCommand, text } from "@acp/core/agent";

import type { CompactionResult } from "../../context/compaction/compact.ts";
import type { Prompt } from "../commands/command.ts";
import { areShownAlike, readCommands } from "../commands/session-commands.ts";
import { chosenModel } from "../settings/session-settings.ts";
import { makeRoom } from "./make-room.ts";
import type { PromptToRun } from "./prompt-to-run.ts";

/** Reads the slash commands again: somebody may have written one since the last prompt. */
export async function refreshCommands({ coder, session, folders, announceCommands }: PromptToRun): Promise<void> {
  const { configFolder } = coder;
  const { cwd, additionalDirectories } = folders;
  const before = session.commands;
  session.commands = await readCommands({ cwd, additionalDirectories, configFolder });
  if (!areShownAlike(before, session.commands)) await announceCommands();
}

/** Runs the slash command that a prompt begins with. Returns the prompt for the model; `undefined` if nothing is left to do. */
export async function runCommand({ coder, session, turn, prompt }: PromptToRun): Promise<Prompt | undefined> {
  const command = parseCommand(prompt);
  if (command === undefined) return prompt;
  const { commands, mcp } = session;
  const found = commands.find(({ name }) => name === command.name);
  if (found === undefined) {
    await turn.message(`There is no command /${command.name}. /help lists the commands.`);
    return undefined;
  }
  const compact = (wish: string): Promise<CompactionResult> => {
    const { contextSize } = chosenModel(coder.models, session.settings);
    const conversation = { coder, session, messages: session.messages, measured: session, isMain: true };
    return makeRoom(turn, conversation, { contextSize, keep: 0, wish });
  };
  const forModel = await found.run(command.input, { turn, commands, mcp, compact });
  return forModel === undefined ? undefined : [text(forModel), ...command.blocks];
}
