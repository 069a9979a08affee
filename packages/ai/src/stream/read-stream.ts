import type { LanguageModelUsage, TextStreamPart, ToolApprovalResponse, ToolSet, FinishReason } from "ai";
import { brokenOff, describeModelError, isOwnError } from "../errors/describe-model-error.ts";
import type { ModelError } from "../errors/model-error.ts";
import type { AnyTurn } from "../turn/any-turn.ts";
import { PartSender } from "./part-sender.ts";
import type { Said } from "./said.ts";
import type { SendOptions } from "./send-options.ts";
import { requireObject } from "@acp/core/internal";
import { toShown } from "../turn/any-turn.ts";

/** What `streamText` returns, or its `stream`, which version 6 of `ai` calls `fullStream`. */
export type ModelStream =
  | { readonly stream: AsyncIterable<TextStreamPart<ToolSet>> }
  | { readonly fullStream: AsyncIterable<TextStreamPart<ToolSet>> }
  | AsyncIterable<TextStreamPart<ToolSet>>;

function partsOf(stream: ModelStream): AsyncIterable<TextStreamPart<ToolSet>> {
  if ("stream" in stream) return stream.stream;
  return "fullStream" in stream ? stream.fullStream : stream;
}

/** How a stream has ended. */
export interface StreamEnd {
  /** Whether the turn was cancelled meanwhile. */
  readonly isAborted: boolean;
  readonly finishReason: FinishReason | undefined;
  readonly rawFinishReason: string | undefined;
  /** That of all steps; `undefined` if the stream has not got so far. */
  readonly usage: LanguageModelUsage | undefined;
  /** That of the last step. */
  readonly stepUsage: LanguageModelUsage | undefined;
  readonly approvals: readonly ToolApprovalResponse[];
  /** Why the model has failed, if it has. */
  readonly error: ModelError | undefined;
}

/**
 * Reads a stream to its end, and sends each part before it reads the next one: while the client does not read, nor does
 * the bridge, and the model has to wait.
 *
 * @throws what the connection to the client, or a callback of the agent, throws.
 */
export async function readStream(
  turn: AnyTurn,
  stream: ModelStream,
  options: SendOptions,
  said: Said,
): Promise<StreamEnd> {
  const { signal } = toShown(turn);
  requireObject(stream, "sendStream() takes the stream of a model second");
  const sender = new PartSender(turn, options);
  let finishReason: FinishReason | undefined;
  let rawFinishReason: string | undefined;
  let usage: LanguageModelUsage | undefined;
  let stepUsage: LanguageModelUsage | undefined;
  let failure: unknown;
  let hasFailed = false;
  const fail = (error: unknown): void => {
    if (!hasFailed) failure = error;
    hasFailed = true;
  };
  const parts = partsOf(stream)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextOf(parts, signal, fail);
      if (next === undefined) break;
      await said.add(next);
      await sender.send(next);
      if (next.type === "error") fail(next.error);
      if (next.type === "finish-step" || next.type === "finish") ({ finishReason, rawFinishReason } = next);
      if (next.type === "finish-step") stepUsage = next.usage;
      if (next.type === "finish") usage = next.totalUsage;
    }
    if (finishReason === "interrupted") fail(brokenOff());
    if (finishReason === "error") fail(undefined);
    await sender.sendSources();
    const { aborted: isAborted } = signal;
    if (hasFailed && !isAborted && isOwnError(failure)) throw failure;
    const error = hasFailed && !isAborted ? describeModelError(failure) : undefined;
    if (error !== undefined) options.onModelError?.(failure);
    if (isAborted) await sender.endCalls("Cancelled.", { withHeld: true });
    else await sender.endCalls(error === undefined ? "Nothing ran this." : "The model's answer broke off.");
    const approvals = await sender.approvals();
    return { isAborted: signal.aborted, finishReason, rawFinishReason, usage, stepUsage, approvals, error };
  } catch (error) {
    // Whether the client still hears it is of no matter: the error that is thrown tells more.
    await sender.endCalls("The agent failed.", { withHeld: true }).catch(() => {});
    throw error;
  } finally {
    void parts.return?.()?.catch(() => {});
  }
}

/** The next part; `undefined` at the end, when the stream fails, and as soon as the turn is cancelled, whatever the stream does then. */
async function nextOf(
  parts: AsyncIterator<TextStreamPart<ToolSet>>,
  signal: AbortSignal,
  fail: (error: unknown) => void,
): Promise<TextStreamPart<ToolSet> | undefined> {
  if (signal.aborted) return undefined;
  let abort = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => resolve(undefined);
  });
  signal.addEventListener("abort", abort, { once: true });
  try {
    const reading = parts.next().then(
      (result) => (result.done === true ? undefined : result.value),
      (error: unknown) => {
        fail(error);
        return undefined;
      },
    );
    return await Promise.race([reading, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
