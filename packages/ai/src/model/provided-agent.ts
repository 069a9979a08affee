import { type ClientConnector, UsageError } from "@acp/core";
import { createClient } from "@acp/core/unstable";
import { clientOfVersions } from "@acp/core/v2";
import { createClient as createClient2 } from "@acp/core/v2/unstable";
import { NoSuchModelError } from "ai";
import type { Conversation } from "../conversation/conversation.ts";
import { ToolServers } from "../tools/tool-servers.ts";
import { textIn } from "../values.ts";
import type { CallOptions } from "./model-types.ts";
import type { AcpProviderOptions, AgentQuestion, AnyClientSession, ProviderAgent } from "./provider-agent.ts";

/** The agent of a provider. It is connected again when it has gone. */
export class ProvidedAgent {
  isClosed = false;
  readonly #options: AcpProviderOptions;
  readonly #tools = new ToolServers();
  readonly #client: ClientConnector<ProviderAgent>;
  #connecting: Promise<ProviderAgent> | undefined;
  #connected: ProviderAgent | undefined;

  constructor(options: AcpProviderOptions) {
    this.#options = options;
    this.#client = createClients(options, this.#tools);
  }

  /** @throws {UsageError} if the provider was closed. */
  async connect(): Promise<ProviderAgent> {
    this.#checkOpen();
    if (this.#connected?.agent.signal.aborted === false) return this.#connected;
    this.#connecting ??= this.#options.connect(this.#client).finally(() => {
      this.#connecting = undefined;
    });
    this.#connected = await this.#connecting;
    if (this.isClosed) await this.#connected.agent.close();
    this.#checkOpen();
    return this.#connected;
  }

  async openSession(conversation: Conversation, options: CallOptions): Promise<AnyClientSession> {
    const { cwd } = this.#options;
    const connected = await this.connect();
    const mcpServers = await this.#tools.open(conversation, connected);
    const { abortSignal: signal } = options;
    const session: AnyClientSession =
      connected.version === 1
        ? await connected.agent.newSession({ cwd, mcpServers }, { signal })
        : await connected.agent.newSession({ cwd, mcpServers }, { signal });
    await chooseModel(session, conversation.modelId);
    return session;
  }

  async close(): Promise<void> {
    const connected = (await this.#connecting?.catch(() => undefined)) ?? this.#connected;
    await connected?.agent.close();
  }

  #checkOpen(): void {
    if (this.isClosed) throw new UsageError("The provider was closed");
  }
}

interface Offered {
  readonly kind: string;
  readonly optionId: string;
}

type Outcome = { outcome: "selected"; optionId: string } | { outcome: "cancelled" };

function createClients(
  { permission = () => false, info = { name: "acp-ai", version: "1.0.0" } }: AcpProviderOptions,
  tools: ToolServers,
): ClientConnector<ProviderAgent> {
  const decide = async (question: AgentQuestion, offered: readonly Offered[]): Promise<{ outcome: Outcome }> => {
    const wish = (await permission(question)) ? "allow" : "reject";
    const option =
      offered.find(({ kind }) => kind === `${wish}_once`) ?? offered.find(({ kind }) => kind.startsWith(wish));
    if (option === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  };
  const v1 = createClient({
    info,
    // Agents that run commands themselves show their output to those who say so.
    capabilities: { _meta: { terminal_output: true } },
    handlers: {
      ...tools.handlers,
      "session/request_permission": ({ sessionId, toolCall, options: offered, ...more }) =>
        decide({ sessionId, title: toolCall.title ?? "", received: { toolCall, ...more } }, offered),
    },
  });
  const v2 = createClient2({
    info,
    handlers: {
      ...tools.handlers,
      "session/request_permission": ({ sessionId, title, options: offered, ...more }) =>
        decide({ sessionId, title, received: { title, ...more } }, offered),
    },
  });
  return clientOfVersions({ v1, v2 });
}

async function chooseModel(session: AnyClientSession, modelId: string): Promise<void> {
  if (modelId === "default") return;
  const option = session.configOptions?.find(({ category }) => category === "model");
  const id = textIn(option, "configId") ?? textIn(option, "id");
  if (id === undefined) throw new NoSuchModelError({ modelId, modelType: "languageModel" });
  await session.setConfigOption(id, modelId);
}
