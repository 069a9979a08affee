import { type ClientConnector, type ConnectedAgent, createClient } from "@acp/core";
import {
  clientOfVersions,
  type ConnectedAgent as ConnectedAgent2,
  createClient as createClient2,
  type VersionedAgent,
} from "@acp/core/v2";
import { NoSuchModelError } from "ai";
import { textIn } from "../values.ts";
import { type AnyClientSession, createModel } from "./acp-model.ts";
import { isContinued } from "./agent-prompt.ts";
import type { AiModel } from "./model-types.ts";

/** An agent that asks whether it may do something. */
export interface AgentQuestion {
  readonly sessionId: string;
  /** What it wants to do, in a few words. */
  readonly title: string;
  /** The question as it came, with the tool call and the options. */
  readonly received: object;
}

/** The agent behind a {@link AcpProvider}, and how it is used. */
export interface AcpProviderOptions {
  /** Connects a client to the agent: `(client) => spawnAgent(client, { command: "my-agent" })`. */
  connect(
    client: ClientConnector<VersionedAgent<ConnectedAgent, ConnectedAgent2>>,
  ): Promise<VersionedAgent<ConnectedAgent, ConnectedAgent2>>;
  /** The directory of its sessions: an absolute path. */
  readonly cwd: string;
  /** Whether the agent may do what it asks for. Default: no. */
  readonly permission?: ((question: AgentQuestion) => boolean | Promise<boolean>) | undefined;
  /** Name and version of your program. Default: those of this package. */
  readonly info?: { readonly name: string; readonly version: string } | undefined;
}

/** An agent as a provider of `ai`. */
export interface AcpProvider {
  readonly specificationVersion: "v4";
  /**
   * A model that is the agent. A conversation is a session of it; messages without an answer of the agent begin a new one. An
   * id other than `default` is chosen among the models that the agent offers.
   */
  languageModel(modelId?: string): AiModel;
  embeddingModel(modelId: string): never;
  imageModel(modelId: string): never;
  /** Ends the connection and the agent's process. */
  close(): Promise<void>;
}

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
 * @throws what `connect` throws.
 */
export async function acpProvider(options: AcpProviderOptions): Promise<AcpProvider> {
  const { cwd, permission = () => false, info = { name: "acp-ai", version: "1.0.0" } } = options;
  const decide = async (
    question: AgentQuestion,
    offered: readonly { readonly kind: string; readonly optionId: string }[],
  ): Promise<{ outcome: { outcome: "selected"; optionId: string } | { outcome: "cancelled" } }> => {
    const wish = (await permission(question)) ? "allow" : "reject";
    const option =
      offered.find(({ kind }) => kind === `${wish}_once`) ?? offered.find(({ kind }) => kind.startsWith(wish));
    if (option === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  };
  const v1 = createClient({
    info,
    handlers: {
      "session/request_permission": ({ sessionId, toolCall, options: offered, ...more }) =>
        decide({ sessionId, title: toolCall.title ?? "", received: { toolCall, ...more } }, offered),
    },
  });
  const v2 = createClient2({
    info,
    handlers: {
      "session/request_permission": ({ sessionId, title, options: offered, ...more }) =>
        decide({ sessionId, title, received: { title, ...more } }, offered),
    },
  });
  const connected = await options.connect(clientOfVersions({ v1, v2 }));
  const openSession = async (modelId: string): Promise<AnyClientSession> => {
    const session: AnyClientSession =
      connected.version === 1 ? await connected.agent.newSession({ cwd }) : await connected.agent.newSession({ cwd });
    await chooseModel(session, modelId);
    return session;
  };
  return {
    specificationVersion: "v4",
    languageModel(modelId = "default") {
      let current: AnyClientSession | undefined;
      return createModel(modelId, async (prompt) => {
        const known = isContinued(prompt) ? current : undefined;
        current = known ?? (await openSession(modelId));
        return { session: current, isFirst: known === undefined };
      });
    },
    embeddingModel(modelId) {
      throw new NoSuchModelError({ modelId, modelType: "embeddingModel" });
    },
    imageModel(modelId) {
      throw new NoSuchModelError({ modelId, modelType: "imageModel" });
    },
    close: () => connected.agent.close(),
  };
}

async function chooseModel(session: AnyClientSession, modelId: string): Promise<void> {
  if (modelId === "default") return;
  const option = session.configOptions?.find(({ category }) => category === "model");
  const id = textIn(option, "configId") ?? textIn(option, "id");
  if (id === undefined) throw new NoSuchModelError({ modelId, modelType: "languageModel" });
  await session.setConfigOption(id, modelId);
}
