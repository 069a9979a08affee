import { type AnyTurn, runTurn, type TurnResult } from "@acp/ai";
import type { ModelMessage } from "ai";

import type { ConfiguredModel } from "../../model/models.ts";
import type { AgentTools } from "../../tools/agent-tools.ts";
import type { CoderOptions } from "../coder-options.ts";
import { recordSaid } from "../session/history.ts";
import type { CoderSession } from "../session/coder-session.ts";
import { chosenModel } from "../settings/session-settings.ts";
import { approvalByMode, offeredTools, permissionOf } from "./permission.ts";
import { readableModel } from "./without-images.ts";

/** What a turn with the model works with. */
export interface ModelTurn {
  readonly coder: CoderOptions;
  readonly session: CoderSession;
  /** The conversation, with what the user has said last at its end: that of the session, or of a subagent. */
  readonly messages: ModelMessage[];
  readonly tools: AgentTools;
  /** The system prompt, for the settings of the moment. */
  instructions(): Promise<string>;
  /** Makes the conversation shorter if it has become too long for the model. Called before each request. */
  shorten?(usedTokens: number | undefined): Promise<void>;
  /** Saves what was added to the conversation. */
  save?(added: readonly ModelMessage[]): Promise<void>;
  /** Whether this is the turn that the user talks to, and not that of a subagent. */
  readonly isMain: boolean;
}

/**
 * Asks the model, runs the tools that it calls, and asks it again, until it has nothing more to do. Before each request it looks
 * at the settings of the session: what the user has changed meanwhile counts from there on.
 */
export function runModelTurn(turn: AnyTurn, options: ModelTurn): Promise<TurnResult> {
  const { coder, session, messages, tools, isMain } = options;
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
    cost: (usage) => session.costs.add(usage, asked.price),
    isSteered: isMain,
    onModelError: coder.onModelError,
    onMessages: options.save,
    onSteered: (_, prompt) => recordSaid(session, prompt),
    prepareStep: async ({ usage, hasApprovals }) => {
      if (!hasApprovals) await options.shorten?.(usage?.totalTokens);
      asked = currentModel();
      const { effort, mode } = session.settings;
      return {
        model: readableModel(asked),
        instructions: await options.instructions(),
        contextSize: isMain ? asked.contextSize : undefined,
        settings: {
          ...(asked.maxOutputTokens === undefined ? {} : { maxOutputTokens: asked.maxOutputTokens }),
          reasoning: effort === "default" ? "provider-default" : effort,
          activeTools: offeredTools(tools, mode),
        },
      };
    },
  });
}
