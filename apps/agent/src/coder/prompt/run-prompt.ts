import { type AnyTurn, tellUser, toModelMessages, type TurnResult } from "@acp/ai";
import { sendSessionInfo } from "@acp/core/agent";
import type { Usage } from "@acp/schema/v1/unstable/types";
import type { LanguageModelUsage, ModelMessage } from "ai";

import { type Guide, readGuides } from "../../context/instructions/guides.ts";
import { createSystemPrompt } from "../../context/instructions/system-prompt.ts";
import { createPlanTool } from "../../context/plan-tool.ts";
import { joinTools } from "../../tools/join-tools.ts";
import { SeenFiles } from "../../tools/files/seen-files.ts";
import { createWorkspace } from "../../workspace/create-workspace.ts";
import { chosenModel } from "../settings/session-settings.ts";
import { createTaskTool } from "../subagents/task-tool.ts";
import type { PromptToRun } from "./prompt-to-run.ts";
import { refreshCommands, runCommand } from "./run-command.ts";
import { isUnanswered } from "./repeated-calls.ts";
import { runModelTurn } from "./model-turn.ts";
import { createTurnTools } from "./turn-tools.ts";
import { truncateText } from "../../truncate-text.ts";
import type { Prompt } from "../commands/command.ts";

/** How a prompt has ended, in the words of both versions. */
interface PromptEnd {
  readonly stopReason: TurnResult["stopReason"];
  /** The tokens of the prompt; an unstable part of the protocol. */
  readonly usage?: Usage;
}

/** Answers a prompt: by a command of the agent itself, or with the model. */
export function runPrompt(options: PromptToRun): Promise<PromptEnd> {
  return options.session.stored.run(() => answerPrompt(options));
}

async function answerPrompt(options: PromptToRun): Promise<PromptEnd> {
  const { session, turn } = options;
  for (const title of session.stored.takeProblems()) await tellUser(turn, { severity: "warning", title });
  await giveTitle(options);
  await refreshCommands(options);
  try {
    const prompt = await runCommand(options);
    if (prompt === undefined) return { stopReason: "end_turn" };
    const asked = toModelMessages(prompt);
    if (asked.length === 0) {
      await options.turn.message("There is nothing in this prompt that a model can read.");
      return { stopReason: "end_turn" };
    }
    session.messages.push(...asked);
    await session.stored.append({ type: "messages", messages: asked });
    const { stopReason, usage } = await runMainTurn(options);
    if (stopReason === "end_turn" && isUnanswered(session.messages))
      await options.turn.message("The model has answered nothing. Ask again, or choose another model.");
    return { stopReason, ...(usage === undefined ? {} : { usage: toUsage(usage) }) };
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
    begin: () => stored.append({ type: "step" }),
    savePart: (message) => stored.append({ type: "part", message }),
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

const longest = 60;

/** The title of a session: the first line of its first prompt, shortened. `undefined` if that has no text. */
export function titleOf(prompt: Prompt): string | undefined {
  const text = prompt.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return undefined;
  return line.length <= longest ? line : `${truncateText(line, longest - 1)}…`;
}

/** Tokens in the words of the protocol. What the provider does not count is left out. */
function toUsage({ inputTokens = 0, outputTokens = 0, ...usage }: LanguageModelUsage): Usage {
  const { cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails;
  const { reasoningTokens } = usage.outputTokenDetails;
  return {
    totalTokens: inputTokens + outputTokens,
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cachedReadTokens: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cachedWriteTokens: cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { thoughtTokens: reasoningTokens }),
  };
}
