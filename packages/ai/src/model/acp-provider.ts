import { UsageError } from "@acp/core";
import { settledWithin, requireObject } from "@acp/core/internal";
import { NoSuchModelError } from "ai";
import { Conversations } from "../conversation/conversations.ts";
import { createModel } from "./acp-model.ts";
import { ProvidedAgent } from "./provided-agent.ts";
import type { AcpProviderOptions } from "./provider-agent.ts";
import type { AiModel } from "./model-types.ts";

/** An agent as a provider of `ai`. */
export interface AcpProvider {
  readonly specificationVersion: "v3";
  /**
   * A model that is the agent. It has no memory for its caller: each call brings the whole conversation, and runs in the
   * session that holds exactly this one; if there is none, a new session gets the messages so far. An id other than `default`
   * is chosen among the models that the agent offers.
   */
  languageModel(modelId?: string): AiModel;
  embeddingModel(modelId: string): never;
  imageModel(modelId: string): never;
  /** Closes the sessions, and ends the connection and the agent's process. */
  close(): Promise<void>;
}

/** How long the sessions may take to close when the provider is closed. */
const closingTime = 1000;

/**
 * Connects to an agent, of version 1 or 2 of the protocol, to use it as a model of `ai`.
 *
 * ```ts
 * const provider = await acpProvider({
 *   connect: (client) => spawnAgent(client, { command: "my-agent" }),
 *   cwd: process.cwd(),
 *   permission: ({ title }) => confirm(title),
 * });
 * const { text } = await generateText({ model: provider.languageModel(), prompt: "Fix the failing test" });
 * await provider.close();
 * ```
 *
 * `providerOptions: { acp: { conversationId } }` names a conversation: your own id, or the one that `providerMetadata.acp` of
 * an answer has. With it you may send only what is new.
 *
 * @throws what `connect` throws.
 */
export async function acpProvider(options: AcpProviderOptions): Promise<AcpProvider> {
  requireObject(options, "acpProvider() takes options with connect", "connect");
  const { idleTime = 600_000, maxSessions = 32 } = options;
  checkLimits(idleTime, maxSessions);
  const agent = new ProvidedAgent(options);
  const conversations = new Conversations({ idleTime, maxSessions }, (conversation, call) =>
    agent.openSession(conversation, call),
  );
  await agent.connect();
  return {
    specificationVersion: "v3",
    languageModel: (modelId = "default") => createModel(modelId, conversations),
    embeddingModel(modelId) {
      throw new NoSuchModelError({ modelId, modelType: "embeddingModel" });
    },
    imageModel(modelId) {
      throw new NoSuchModelError({ modelId, modelType: "imageModel" });
    },
    async close() {
      agent.isClosed = true;
      await settledWithin(conversations.endAll(), closingTime);
      await agent.close();
    },
  };
}

function checkLimits(idleTime: number, maxSessions: number): void {
  if (typeof idleTime !== "number" || !(idleTime >= 0))
    throw new UsageError(`idleTime is ${idleTime}; expected milliseconds from 0 on, or Infinity for no limit`);
  if (typeof maxSessions !== "number" || !(maxSessions >= 0))
    throw new UsageError(`maxSessions is ${maxSessions}; expected a number from 0 on, or Infinity for no limit`);
}
