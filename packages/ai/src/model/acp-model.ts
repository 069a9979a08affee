import type { Rooms } from "../conversation/conversation.ts";
import { OneRoom } from "../conversation/one-room.ts";
import { toolsOf } from "../tools/caller-tools.ts";
import type { AnyClientSession } from "./provider-agent.ts";
import { isObject, textIn } from "../values.ts";
import { ModelCall } from "./model-call.ts";
import type { AiModel, CallOptions } from "./model-types.ts";
import { collectParts } from "./part-collector.ts";
import { requireObject } from "@acp/core/internal";

/** How a model of an agent is named. */
export interface AcpModelOptions {
  /** The name of the model in `ai`. Default: `agent`. */
  readonly modelId?: string | undefined;
}

/**
 * An agent as a language model of `ai`, in a session that is open. Each call is a turn of this session; the session keeps the
 * one conversation, and gets what is new in the messages. A call with other messages is refused, and so is a second call at
 * the same time: {@link acpProvider} opens a session for each conversation. The agent's tool calls are shown as run by the
 * provider. Aborting a call cancels the turn. Permission questions go to the handlers of your client.
 *
 * ```ts
 * const session = await agent.newSession({ cwd: "/project" });
 * const { text } = await generateText({ model: acpModel(session), prompt: "What is this project about?" });
 * ```
 */
export function acpModel(session: AnyClientSession, options?: AcpModelOptions): AiModel {
  requireObject(session, "acpModel() takes a session first", "prompt");
  return createModel(options?.modelId ?? "agent", new OneRoom(session));
}

/** A model whose calls are turns of the sessions of conversations. */
export function createModel(modelId: string, rooms: Rooms): AiModel {
  const doStream: AiModel["doStream"] = async (options) => {
    const { prompt, abortSignal } = options;
    abortSignal?.throwIfAborted();
    const taken = await rooms.take({ prompt, modelId, id: idIn(options), tools: toolsOf(options) });
    try {
      const session = await rooms.open(taken, options);
      return { stream: toStream(new ModelCall(rooms, taken, session, options)) };
    } catch (error) {
      rooms.fail(taken);
      throw error;
    }
  };
  return {
    specificationVersion: "v3",
    provider: "acp",
    modelId,
    supportedUrls: {},
    doStream,
    doGenerate: async (options) => await collectParts((await doStream(options)).stream),
  };
}

/** The app's name for the conversation. */
function idIn({ providerOptions }: CallOptions): string | undefined {
  return isObject(providerOptions) ? textIn(providerOptions["acp"], "conversationId") : undefined;
}

/** A stream that reads on only when it is read: the updates wait in the turn. */
function toStream(call: ModelCall): Awaited<ReturnType<AiModel["doStream"]>>["stream"] {
  const parts = call.read();
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      call.cancel();
      await parts.return(undefined);
    },
  });
}
