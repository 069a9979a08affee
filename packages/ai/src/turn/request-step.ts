import { type ModelMessage, type StepResult, streamText, type ToolSet } from "ai";
import { describeModelError } from "../errors/describe-model-error.ts";
import { readStream, type StreamEnd } from "../stream/read-stream.ts";
import type { Said } from "../stream/said.ts";
import type { AnyTurn } from "./any-turn.ts";
import type { RunTurnOptions } from "./turn-options.ts";
import { withInstructions, withTools } from "./versions-of-ai.ts";

interface StepRequest {
  readonly options: RunTurnOptions;
  readonly messages: readonly ModelMessage[];
  readonly said: Said;
  /** What the user has said since the last step. */
  steer(): Promise<readonly ModelMessage[]>;
}

/** How a step has ended. */
export interface StepEnd extends StreamEnd {
  /** The step as `ai` describes it, if the model has answered. */
  readonly step: StepResult<ToolSet> | undefined;
  /** What the answer is, for a step that is the answer. */
  readonly output: unknown;
}

/** One request to the model, shown to the client, with the tools that it calls. */
export async function requestStep(turn: AnyTurn, { options, messages, said, steer }: StepRequest): Promise<StepEnd> {
  const { model, instructions, tools, toolApproval, settings, output } = options;
  explainDenials(messages, said);
  // Beside the turn, also what goes wrong while it is shown ends the request.
  const stop = new AbortController();
  const result = streamText({
    ...settings,
    model,
    messages: [...messages],
    ...(instructions === undefined ? {} : withInstructions(instructions)),
    ...(tools === undefined ? {} : withTools(tools, toolApproval)),
    ...(output === undefined ? {} : { output }),
    abortSignal: AbortSignal.any([turn.signal, stop.signal]),
    stopWhen: () => true,
    // Repeated by the loop, which tells the user.
    maxRetries: 0,
    // Tools that the user has allowed have run here: only now is it the user's turn again.
    prepareStep: async ({ messages: current }) => {
      const steered = await steer();
      for (const message of steered) await said.insert(message);
      return steered.length === 0 ? undefined : { messages: [...current, ...steered] };
    },
    // Read from the stream; the default prints it, with the prompt.
    onError: () => {},
  });
  try {
    const end = await readStream(turn, result, options, said);
    const isWhole = end.error === undefined && !end.isAborted;
    // Those of a stream that has failed reject.
    const steps = isWhole ? await result.steps : [];
    const isAnswer = isWhole && output !== undefined && end.finishReason === "stop";
    return { ...end, step: steps.at(-1), output: isAnswer ? await readOutput(result.output) : undefined };
  } finally {
    stop.abort();
  }
}

/** @throws {ModelError} the answer does not have the form that was asked for. */
async function readOutput(output: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await output;
  } catch (error) {
    throw describeModelError(error);
  }
}

/** The user's reasons for a refusal stand in the last message; the result of the call is to have them as well. */
function explainDenials(messages: readonly ModelMessage[], said: Said): void {
  const last = messages.at(-1);
  const before = messages.at(-2);
  if (last?.role !== "tool" || before?.role !== "assistant" || typeof before.content === "string") return;
  for (const answer of last.content) {
    if (answer.type !== "tool-approval-response" || answer.approved || answer.reason === undefined) continue;
    for (const part of before.content) {
      if (part.type === "tool-approval-request" && part.approvalId === answer.approvalId)
        said.explain(part.toolCallId, answer.reason);
    }
  }
}
