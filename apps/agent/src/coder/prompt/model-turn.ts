import { type AnyTurn, ModelError, runTurn, tellUser, type TurnResult } from "@acp/ai";
import type { ModelMessage } from "ai";

import { estimateTokens } from "../../context/compaction/context-size.ts";
import { isContextFull } from "../../context/compaction/is-context-full.ts";
import type { ConfiguredModel } from "../../model/models.ts";
import type { AgentTools } from "../../tools/agent-tools.ts";
import type { CoderOptions } from "../coder-options.ts";
import { recordSaid } from "../session/history.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { chosenModel } from "../settings/session-settings.ts";
import { makeRoom, type Measured } from "./make-room.ts";
import { approvalByMode, offeredTools, permissionOf } from "./permission.ts";
import { endedAfter, repeatedSteps, toldAfter } from "./repeated-calls.ts";
import { readableModel } from "./without-images.ts";

/** What a turn with the model works with. */
export interface ModelTurn {
  readonly coder: CoderOptions;
  readonly session: CoderSession;
  /** The conversation, with what the user has said last at its end: that of the session, or of a subagent. */
  readonly messages: ModelMessage[];
  /** Changes with every request. */
  readonly measured: Measured;
  readonly tools: AgentTools;
  /** The system prompt, for the settings of the moment. */
  instructions(): string;
  /** Called before each request to the model. */
  begin?(): Promise<void>;
  /** Saves a part of a step, before the client is shown it. */
  savePart?(message: ModelMessage): Promise<void>;
  /** Saves what was added to the conversation. */
  save?(added: readonly ModelMessage[]): Promise<void>;
  /** Whether this is the turn that the user talks to, and not that of a subagent. */
  readonly isMain: boolean;
}

/**
 * Asks the model, runs the tools that it calls, and asks it again, until it has nothing more to do. Before each request it looks
 * at the settings of the session: what the user has changed meanwhile counts from there on.
 */
export async function runModelTurn(turn: AnyTurn, options: ModelTurn): Promise<TurnResult> {
  try {
    return await runSteps(turn, options);
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind !== "too_long") throw error;
    // Our idea of the context was wrong: the size that is configured, or the estimate.
    const tooMuch = estimateTokens(options.messages, options.measured.lastUsage);
    if ((await makeRoom(turn, options, { contextSize: tooMuch, keep: tooMuch / 4 })) === "unchanged") throw error;
    return await runSteps(turn, options);
  }
}

function runSteps(turn: AnyTurn, options: ModelTurn): Promise<TurnResult> {
  const { coder, session, messages, measured, tools, isMain } = options;
  const currentModel = (): ConfiguredModel => chosenModel(coder.models, session.settings);
  let asked = currentModel();
  return runTurn(turn, {
    model: readableModel(asked),
    messages,
    tools: tools.tools,
    show: tools.show,
    toolApproval: approvalByMode(tools, () => session.settings.mode),
    permission: permissionOf(tools),
    maxSteps: coder.maxSteps,
    // How full the context of a subagent is does not concern the user; what it costs does.
    contextSize: isMain ? asked.contextSize : undefined,
    cost: (usage) => {
      measured.lastUsage = usage;
      return session.costs.add(usage, asked.price);
    },
    isSteered: isMain,
    onModelError: coder.onModelError,
    onMessages: options.save,
    onPart: options.savePart,
    onSteered: (_, prompt) => recordSaid(session, prompt),
    prepareStep: async ({ hasApprovals }) => {
      asked = currentModel();
      const { contextSize, maxOutputTokens } = asked;
      const { lastUsage } = measured;
      // The last two messages are needed as they are when the user has just allowed a call.
      if (!hasApprovals && isContextFull({ messages, lastUsage, contextSize, maxOutputTokens }))
        await makeRoom(turn, options, { contextSize, keep: contextSize / 4 });
      await options.begin?.();
      const { effort, mode } = session.settings;
      const repeated = repeatedSteps(messages);
      if (repeated === toldAfter || repeated === endedAfter) await tellLoop(turn, repeated);
      return {
        model: readableModel(asked),
        instructions: `${options.instructions()}${repeated < toldAfter ? "" : loopInstruction(repeated)}`,
        contextSize: isMain ? contextSize : undefined,
        settings: {
          ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
          reasoning: effort === "default" ? "provider-default" : effort,
          activeTools: repeated < endedAfter ? offeredTools(tools, mode) : [],
        },
      };
    },
  });
}

async function tellLoop(turn: AnyTurn, repeated: number): Promise<void> {
  const title = `The model has made the same call ${repeated} times, with the same result.`;
  const description = repeated < endedAfter ? "It was told so." : "It has to answer without tools now.";
  await tellUser(turn, { severity: "warning", title, description });
}

function loopInstruction(repeated: number): string {
  return `

You have made the same call ${repeated} times, with the same result. Do not make it again. Try another way, or say what keeps you from going on.`;
}
