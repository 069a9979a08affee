import type { StopReason } from "@acp/schema/v1/types";
import type { FinishReason, LanguageModelUsage, ModelMessage, ToolApprovalResponse, ToolSet } from "ai";
import type { AnyTurn } from "../turn/any-turn.ts";
import { type ModelStream, readStream } from "./read-stream.ts";
import { Said } from "./said.ts";
import type { SendOptions } from "./send-options.ts";
import { toStopReason } from "./stop-reason.ts";

/** What became of a stream. */
export interface SentStream {
  /** What a prompt handler returns: `end_turn`, `max_tokens`, `refusal` or `cancelled`. */
  readonly stopReason: StopReason;
  /** Why the model finished; `undefined` if it has not. */
  readonly finishReason: FinishReason | undefined;
  /** The tokens of all steps; `undefined` if the model has not finished. */
  readonly usage: LanguageModelUsage | undefined;
  /** What the model has said and the tools have returned, for the next request: after a cancel as far as it has come. */
  readonly messages: readonly ModelMessage[];
  /** The user's answers about tool calls, for a message with the role `tool`, with which the model is called again. */
  readonly approvals: readonly ToolApprovalResponse[];
}

/**
 * Sends what a model streams to the client: text, reasoning, tool calls with their input as it is written and their results,
 * sources, files and usage. Questions of `ai` for approval become permission questions. Resolves at the end of the stream.
 *
 * ```ts
 * "session/prompt": async ({ prompt }, { turn }) => {
 *   const messages = toModelMessages(prompt);
 *   const result = streamText({ model, messages, abortSignal: turn.signal, onError() {} });
 *   const { stopReason } = await sendStream(turn, result);
 *   return { stopReason };
 * },
 * ```
 *
 * It reads on only when the client has taken what was read before. Every tool call that it has reported is ended, however the
 * stream ends; but one that the user has approved runs when the model is called again, with `approvals`. {@link runTurn} does
 * that, and more.
 *
 * @throws {ModelError} the model has failed.
 * @throws what the methods of the turn throw when the client has gone.
 */
export async function sendStream<Tools extends ToolSet = ToolSet>(
  turn: AnyTurn,
  stream: ModelStream,
  options: SendOptions<Tools> = {},
): Promise<SentStream> {
  const said = new Said(options.tools);
  const end = await readStream(turn, stream, options, said);
  if (end.error !== undefined) throw end.error;
  said.endStep();
  const { finishReason, usage, approvals, isAborted } = end;
  const stopReason = isAborted ? "cancelled" : toStopReason(finishReason);
  return { stopReason, finishReason, usage, messages: said.take(), approvals };
}
