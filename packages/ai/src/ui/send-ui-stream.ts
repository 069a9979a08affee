import { RequestError } from "@acp/core";
import type { StopReason } from "@acp/schema/v1/types";
import { type AnyTurn, type ShownCall, toShown } from "../turn/any-turn.ts";
import { isObject, textIn } from "../values.ts";
import { requireObject } from "@acp/core/internal";

/** A stream of the chunks that `useChat` of `ai` reads: many frameworks make one. */
export type UiStream = AsyncIterable<{ readonly type: string }> | ReadableStream<{ readonly type: string }>;

/**
 * Shows a UI message stream in a turn: text, reasoning, tool calls with their results, and sources. Resolves at its end with
 * what the prompt handler returns. It needs no `ai`, so any framework that makes such a stream becomes an agent with it.
 *
 * ```ts
 * "session/prompt": async ({ prompt }, { turn }) => {
 *   const stream = await answer(prompt, turn.signal);
 *   return { stopReason: await sendUiStream(turn, stream) };
 * },
 * ```
 *
 * It reads on only when the client has taken what came before, and stops when the turn is cancelled.
 *
 * @throws {RequestError} the stream reports an error.
 */
export async function sendUiStream(turn: AnyTurn, stream: UiStream): Promise<StopReason> {
  const shown = toShown(turn);
  const calls = new Map<string, ShownCall>();
  const chunks = readerOf(stream);
  let abort = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => resolve(undefined);
  });
  if (turn.signal.aborted) abort();
  else turn.signal.addEventListener("abort", abort, { once: true });
  let stopReason: StopReason = "end_turn";
  let isNew = true;
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted]);
      if (next === undefined) return "cancelled";
      if (next.done === true || next.value === undefined) return stopReason;
      const chunk: Readonly<Record<string, unknown>> = { ...next.value };
      switch (chunk["type"]) {
        case "text-start":
        case "reasoning-start":
          isNew = true;
          break;
        case "text-delta":
        case "reasoning-delta": {
          const text = textIn(chunk, "delta") ?? "";
          if (text === "") break;
          const options = { newMessage: isNew };
          isNew = false;
          await (chunk["type"] === "text-delta" ? shown.message(text, options) : shown.thought(text, options));
          break;
        }
        case "source-url": {
          const uri = textIn(chunk, "url");
          if (uri !== undefined) {
            await shown.message({ type: "resource_link", uri, name: textIn(chunk, "title") ?? uri });
          }
          break;
        }
        case "error":
          throw RequestError.internalError(textIn(chunk, "errorText") ?? "The agent has failed");
        case "finish":
          if (chunk["finishReason"] === "length") stopReason = "max_tokens";
          if (chunk["finishReason"] === "content-filter") stopReason = "refusal";
          break;
        default:
          await showCall(shown, calls, chunk);
      }
    }
  } finally {
    turn.signal.removeEventListener("abort", abort);
    // Not awaited: a generator ends only when it yields again.
    void chunks.stop().catch(() => {});
    for (const call of calls.values())
      await (call.cancelled?.("Cancelled.") ?? call.fail("Cancelled.")).catch(() => {});
  }
}

interface Reader {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: { readonly type: string } | undefined }>;
  stop(): Promise<unknown>;
}

function readerOf(stream: UiStream): Reader {
  requireObject(stream, "sendUiStream() takes a stream of chunks second");
  if ("getReader" in stream) {
    const reader = stream.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel() };
  }
  const chunks = stream[Symbol.asyncIterator]();
  return { next: () => chunks.next(), stop: async () => await chunks.return?.() };
}

async function showCall(
  turn: ReturnType<typeof toShown>,
  calls: Map<string, ShownCall>,
  chunk: Readonly<Record<string, unknown>>,
): Promise<void> {
  const id = textIn(chunk, "toolCallId");
  if (id === undefined) return;
  const { type, input, output } = chunk;
  const name = textIn(chunk, "toolName");
  let call = calls.get(id);
  if (call === undefined) {
    // The end of a call that was shown before.
    if (name === undefined) return;
    const title = textIn(chunk, "title") ?? name;
    call = await turn.toolCall({ toolCallId: id, title, status: "pending" });
    calls.set(id, call);
  }
  switch (type) {
    case "tool-input-available":
      return call.update({ rawInput: input, status: "in_progress" });
    case "tool-input-error":
    case "tool-output-error":
      calls.delete(id);
      return call.fail(textIn(chunk, "errorText"));
    case "tool-output-denied":
      calls.delete(id);
      return call.fail("This was not allowed.");
    case "tool-output-available": {
      const text = typeof output === "string" ? output : undefined;
      if (chunk["preliminary"] === true) return call.update(text === undefined ? {} : { content: text });
      calls.delete(id);
      if (isObject(output)) await call.update({ rawOutput: output });
      return call.complete(text);
    }
    default:
  }
}
