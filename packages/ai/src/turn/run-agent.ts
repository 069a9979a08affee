import { steeringOf } from "@acp/core/steering";
import type { StopReason } from "@acp/schema/v1/types";
import type { LanguageModelUsage, ModelMessage, ToolSet } from "ai";
import { answerOpenCalls } from "../messages/answer-open-calls.ts";
import { toModelMessages } from "../messages/to-model-messages.ts";
import type { ModelStream } from "../stream/read-stream.ts";
import { callsOf } from "../stream/reported-calls.ts";
import type { SendOptions } from "../stream/send-options.ts";
import { sendStream } from "../stream/send-stream.ts";
import { addUsage } from "../stream/usage.ts";
import type { AnyTurn } from "./any-turn.ts";

/** An agent of `ai`, such as a `ToolLoopAgent`, as far as a turn needs it. */
export interface StreamingAgent<Tools extends ToolSet = ToolSet> {
  readonly tools?: Tools;
  stream(options: { messages: ModelMessage[]; abortSignal?: AbortSignal }): PromiseLike<ModelStream>;
}

/** What a turn with an agent of `ai` needs. */
export interface AgentTurnOptions<Tools extends ToolSet = ToolSet> extends SendOptions<Tools> {
  readonly agent: StreamingAgent<Tools>;
  /** The conversation, with the message of the user at its end. It grows by everything said and done. */
  readonly messages: ModelMessage[];
  /** Called with the messages that were just added to the history, to save them. The turn waits for it. */
  readonly onMessages?: ((added: readonly ModelMessage[]) => void | Promise<void>) | undefined;
}

interface AgentTurnResult {
  readonly stopReason: StopReason;
  readonly usage: LanguageModelUsage | undefined;
  /** How often the agent was run: again after answers of the user. */
  readonly steps: number;
}

/** Runs an agent of `ai` in a turn: once, and again after each answer of the user and each thing said meanwhile. */
export async function runAgent<Tools extends ToolSet>(
  turn: AnyTurn,
  { agent, messages, onMessages, ...options }: AgentTurnOptions<Tools>,
): Promise<AgentTurnResult> {
  const steering = steeringOf(turn);
  const add = async (added: readonly ModelMessage[]): Promise<void> => {
    messages.push(...added);
    if (added.length > 0) await onMessages?.(added);
  };
  let usage: LanguageModelUsage | undefined;
  answerOpenCalls(messages, "The agent was interrupted before this had a result.");
  try {
    for (let steps = 1; ; steps++) {
      const stream = await agent.stream({ messages: [...messages], abortSignal: turn.signal });
      const sent = await sendStream<Tools>(turn, stream, { tools: agent.tools, ...options });
      usage = addUsage(usage, sent.usage);
      await add(sent.messages);
      if (sent.stopReason === "cancelled") return { stopReason: "cancelled", usage, steps };
      if (sent.approvals.length > 0) await add([{ role: "tool", content: [...sent.approvals] }]);
      const said = steering.take().flatMap((prompt) => toModelMessages(prompt));
      await add(said);
      if (sent.approvals.length === 0 && said.length === 0) return { stopReason: sent.stopReason, usage, steps };
    }
  } finally {
    for (const call of callsOf(turn).open) await call.cancel("Cancelled.").catch(() => {});
    const added = answerOpenCalls(messages, "This was cancelled before it had a result.");
    if (added.length > 0) await onMessages?.(added);
  }
}
