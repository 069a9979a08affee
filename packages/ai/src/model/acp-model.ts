import type { ClientSession } from "@acp/core";
import { RequestError } from "@acp/core";
import type { ClientSession as ClientSession2 } from "@acp/core/v2";
import { isObject, textIn } from "../values.ts";
import { isContinued, newMessages, toAgentPrompt } from "./agent-prompt.ts";
import { collectParts } from "./collect-parts.ts";
import type { AiModel, CallOptions, FinishReason, StreamPart } from "./model-types.ts";
import { type AnyUpdate, UpdateParts } from "./update-parts.ts";

/** A session of a client, of version 1 or 2 of the protocol. */
export type AnyClientSession = ClientSession | ClientSession2;

/** How a model of an agent is named. */
export interface AcpModelOptions {
  /** The name of the model in `ai`. Default: `agent`. */
  readonly modelId?: string | undefined;
}

/**
 * An agent as a language model of `ai`, in a session that is open. Each call is a turn of this session; the session keeps the
 * conversation, and gets what is new in the messages. The agent's tool calls are shown as run by the provider. Aborting a
 * call cancels the turn. Permission questions go to the handlers of your client: {@link acpProvider} has a callback for them.
 *
 * ```ts
 * const session = await agent.newSession({ cwd: "/project" });
 * const { text } = await generateText({ model: acpModel(session), prompt: "What is this project about?" });
 * ```
 */
export function acpModel(session: AnyClientSession, options?: AcpModelOptions): AiModel {
  let calls = 0;
  return createModel(options?.modelId ?? "agent", () => {
    calls += 1;
    return Promise.resolve({ session, isFirst: calls === 1 });
  });
}

/** Where a call runs: its session, and whether this session has no part of the conversation yet. */
export interface Place {
  readonly session: AnyClientSession;
  readonly isFirst: boolean;
}

/** A model whose calls are turns of the sessions that `open` returns. */
export function createModel(modelId: string, open: (prompt: CallOptions["prompt"]) => Promise<Place>): AiModel {
  const doStream: AiModel["doStream"] = async (options) => {
    const { prompt, abortSignal } = options;
    abortSignal?.throwIfAborted();
    const { session, isFirst } = await open(prompt);
    const messages = isFirst || !isContinued(prompt) ? prompt : newMessages(prompt);
    const turn = startTurn(session, toAgentPrompt(messages), abortSignal);
    return { stream: toStream(readTurn(turn, options), turn.cancel) };
  };
  return {
    specificationVersion: "v4",
    provider: "acp",
    modelId,
    supportedUrls: {},
    doStream,
    doGenerate: async (options) => await collectParts((await doStream(options)).stream),
  };
}

interface RunningTurn {
  readonly updates: AsyncIterable<AnyUpdate>;
  /** The answer of version 1, or the idle state of version 2. */
  readonly end: Promise<object>;
  readonly cancel: () => void;
}

function startTurn(
  session: AnyClientSession,
  prompt: ReturnType<typeof toAgentPrompt>,
  signal: AbortSignal | undefined,
): RunningTurn {
  const turn = session.prompt(prompt, { signal });
  // Read now, so that none is lost before the stream is read.
  const updates = turn.updates as AsyncIterable<unknown> as AsyncIterable<AnyUpdate>;
  return { updates, end: "finished" in turn ? turn.finished : turn.response, cancel: () => turn.cancel() };
}

async function* readTurn({ updates, end }: RunningTurn, options: CallOptions): AsyncGenerator<StreamPart> {
  yield { type: "stream-start", warnings: warningsOf(options) };
  const parts = new UpdateParts();
  for await (const update of updates) yield* parts.add(update);
  const ended = await end;
  options.abortSignal?.throwIfAborted();
  yield* parts.end();
  const raw = textIn(ended, "stopReason");
  const error = isObject(ended) ? ended["error"] : undefined;
  if (raw === "error") yield { type: "error", error: toError(error) };
  yield { type: "finish", usage: parts.usage(), finishReason: { unified: finishReasonOf(raw), raw } };
}

function toError(error: unknown): RequestError {
  return RequestError.internalError(textIn(error, "message") ?? "The agent has failed");
}

function finishReasonOf(stopReason: string | undefined): FinishReason["unified"] {
  switch (stopReason) {
    case "end_turn":
      return "stop";
    case "max_tokens":
      return "length";
    case "refusal":
      return "content-filter";
    case "error":
      return "error";
    default:
      return "other";
  }
}

/** The settings that an agent does not take: it has tools and parameters of its own. */
function warningsOf(options: CallOptions): Extract<StreamPart, { type: "stream-start" }>["warnings"] {
  const settings = ["tools", "temperature", "topP", "topK", "maxOutputTokens", "stopSequences", "seed"] as const;
  return settings
    .filter((name) => options[name] !== undefined && !(Array.isArray(options[name]) && options[name].length === 0))
    .map((feature) => ({ type: "unsupported", feature, details: "The agent decides this itself." }));
}

/** A stream that reads on only when it is read: the updates wait in the turn. */
function toStream(parts: AsyncGenerator<StreamPart>, cancel: () => void): ReadableStream<StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      cancel();
      await parts.return(undefined);
    },
  });
}
