import { type AnyTurn, toModelMessages, type TurnResult } from "@acp/ai";
import { parseCommand, sendSessionInfo, text } from "@acp/core/agent";
import type { ModelMessage } from "ai";

import type { CompactionResult } from "../../context/compaction/compact.ts";
import { type Guide, readGuides } from "../../context/instructions/guides.ts";
import { createSystemPrompt } from "../../context/instructions/system-prompt.ts";
import { createPlanTool } from "../../context/plan-tool.ts";
import { joinTools } from "../../tools/join-tools.ts";
import { SeenFiles } from "../../tools/files/seen-files.ts";
import { createWorkspace } from "../../workspace/create-workspace.ts";
import type { LocalSession } from "../../workspace/local-session.ts";
import type { CoderOptions } from "../coder-options.ts";
import type { Prompt } from "../commands/command.ts";
import { areShownAlike, readCommands } from "../commands/session-commands.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { chosenModel } from "../settings/session-settings.ts";
import { createTaskTool, type Subagent } from "../subagents/task-tool.ts";
import { makeRoom } from "./make-room.ts";
import { runModelTurn } from "./model-turn.ts";
import { createTurnTools } from "./turn-tools.ts";
import { titleOf } from "./session-title.ts";

/** A prompt that came, and what it takes to answer it. */
export interface PromptToRun {
  readonly coder: CoderOptions;
  readonly session: CoderSession;
  readonly turn: AnyTurn;
  readonly prompt: Prompt;
  /** The folders of the session, as the client has opened it. */
  readonly folders: LocalSession;
  /** Tells the client the slash commands of the session. */
  announceCommands(): Promise<void>;
  /** Opens a session for a subagent, if the client shows such sessions. */
  openSubagent?(title: string, signal: AbortSignal): Promise<Subagent | undefined>;
}

type StopReason = TurnResult["stopReason"];

/** Answers a prompt: by a command of the agent itself, or with the model. Returns why the turn has ended. */
export async function runPrompt(options: PromptToRun): Promise<{ readonly stopReason: StopReason }> {
  const { session } = options;
  await giveTitle(options);
  await refreshCommands(options);
  try {
    const prompt = await runCommand(options);
    if (prompt === undefined) return { stopReason: "end_turn" };
    const asked = toModelMessages(prompt);
    session.messages.push(...asked);
    await session.stored.append({ type: "messages", messages: asked });
    const { stopReason } = await runMainTurn(options);
    return { stopReason };
  } finally {
    await session.stored.append({ type: "costs", costs: session.costs.toJSON() });
  }
}

async function giveTitle({ session: { stored }, turn, prompt }: PromptToRun): Promise<void> {
  const title = titleOf(prompt);
  if (stored.summary.title !== undefined || title === undefined) return;
  await stored.change({ title });
  await sendSessionInfo(turn, { title });
}

/** Reads the commands again: somebody may have written one since the last prompt. */
async function refreshCommands({ coder, session, folders, announceCommands }: PromptToRun): Promise<void> {
  const { configFolder } = coder;
  const { cwd, additionalDirectories } = folders;
  const before = session.commands;
  session.commands = await readCommands({ cwd, additionalDirectories, configFolder });
  if (!areShownAlike(before, session.commands)) await announceCommands();
}

/** Runs the slash command that a prompt begins with. Returns the prompt for the model; `undefined` if nothing is left to do. */
async function runCommand({ coder, session, turn, prompt }: PromptToRun): Promise<Prompt | undefined> {
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

/** The turn that the user talks to. Its tools include subagents, which run turns of their own. */
async function runMainTurn(options: PromptToRun): Promise<TurnResult> {
  const { coder, session, folders, turn } = options;
  const { messages, stored } = session;
  const { configFolder } = coder;
  const guides = await readGuides({ workspace: createWorkspace(turn, folders), configFolder });
  const task = createTaskTool({
    turn,
    ...(options.openSubagent === undefined ? {} : { open: options.openSubagent }),
    run: (own, ownMessages) => runSubagent(options, guides, own, ownMessages),
  });
  const tools = joinTools(await createTurnTools(options, turn, session.seenFiles), createPlanTool(turn), task);
  return runModelTurn(turn, {
    coder,
    session,
    messages,
    measured: session,
    tools,
    isMain: true,
    instructions: () => instructionsOf(options, guides, false),
    save: (added) => stored.append({ type: "messages", messages: added }),
  });
}

async function runSubagent(
  options: PromptToRun,
  guides: readonly Guide[],
  turn: AnyTurn,
  messages: ModelMessage[],
): Promise<TurnResult> {
  const { coder, session } = options;
  const tools = await createTurnTools(options, turn, new SeenFiles());
  const instructions = (): string => instructionsOf(options, guides, true);
  const measured = { lastUsage: undefined };
  return runModelTurn(turn, { coder, session, messages, measured, tools, isMain: false, instructions });
}

function instructionsOf(
  { coder, session, folders }: PromptToRun,
  guides: readonly Guide[],
  isSubagent: boolean,
): string {
  const { cwd, additionalDirectories } = folders;
  const { mode } = session.settings;
  const { contextSize } = chosenModel(coder.models, session.settings);
  const directories = [cwd, ...additionalDirectories];
  return createSystemPrompt({ cwd, directories, mode, guides, contextSize, isSubagent });
}
