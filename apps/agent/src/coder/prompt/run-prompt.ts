import { type AnyTurn, toModelMessages, type TurnResult } from "@acp/ai";
import { parseCommand, sendSessionInfo, text } from "@acp/core/agent";
import type { ModelMessage } from "ai";

import { joinTools } from "../../tools/join-tools.ts";
import { SeenFiles } from "../../tools/files/seen-files.ts";
import type { LocalSession } from "../../workspace/local-session.ts";
import type { CoderOptions } from "../coder-options.ts";
import type { Prompt } from "../commands/command.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { createTaskTool, type Subagent } from "../subagents/task-tool.ts";
import { createInstructions } from "./instructions.ts";
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
  /** Opens a session for a subagent, if the client shows such sessions. */
  openSubagent?(title: string, signal: AbortSignal): Promise<Subagent | undefined>;
}

type StopReason = TurnResult["stopReason"];

/** Answers a prompt: by a command of the agent itself, or with the model. Returns why the turn has ended. */
export async function runPrompt(options: PromptToRun): Promise<{ readonly stopReason: StopReason }> {
  const { session, turn } = options;
  await giveTitle(options);
  const prompt = await runCommand(options);
  if (prompt === undefined) return { stopReason: "end_turn" };
  const asked = toModelMessages(prompt);
  session.messages.push(...asked);
  await session.stored.append({ type: "messages", messages: asked });
  try {
    const { stopReason } = await runMainTurn(options, turn);
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

/** Runs the slash command that a prompt begins with. Returns the prompt for the model; `undefined` if nothing is left to do. */
async function runCommand({ session, turn, prompt }: PromptToRun): Promise<Prompt | undefined> {
  const command = parseCommand(prompt);
  if (command === undefined) return prompt;
  const { commands } = session;
  const found = commands.find(({ name }) => name === command.name);
  if (found === undefined) {
    await turn.message(`There is no command /${command.name}. /help lists the commands.`);
    return undefined;
  }
  const compact = (): Promise<void> => turn.message("Not yet.");
  const forModel = await found.run(command.input, { turn, commands, compact });
  return forModel === undefined ? undefined : [text(forModel), ...command.blocks];
}

/** The turn that the user talks to. Its tools include subagents, which run turns of their own. */
async function runMainTurn(options: PromptToRun, turn: AnyTurn): Promise<TurnResult> {
  const { coder, session } = options;
  const { messages, stored } = session;
  const task = createTaskTool({
    turn,
    ...(options.openSubagent === undefined ? {} : { open: options.openSubagent }),
    run: (own, ownMessages) => runSubagent(options, own, ownMessages),
  });
  const tools = joinTools(await createTurnTools(options, turn, session.seenFiles), task);
  return runModelTurn(turn, {
    coder,
    session,
    messages,
    tools,
    isMain: true,
    instructions: () => instructionsOf(options, false),
    save: (added) => stored.append({ type: "messages", messages: added }),
  });
}

async function runSubagent(options: PromptToRun, turn: AnyTurn, messages: ModelMessage[]): Promise<TurnResult> {
  const { coder, session } = options;
  const tools = await createTurnTools(options, turn, new SeenFiles());
  const instructions = (): Promise<string> => instructionsOf(options, true);
  return runModelTurn(turn, { coder, session, messages, tools, isMain: false, instructions });
}

function instructionsOf({ session, folders }: PromptToRun, isSubagent: boolean): Promise<string> {
  const { cwd, additionalDirectories } = folders;
  const { mode } = session.settings;
  const directories = [cwd, ...additionalDirectories];
  return Promise.resolve(createInstructions({ cwd, directories, mode, isSubagent }));
}
