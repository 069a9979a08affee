import type { ClientDefinition, DiagnosticListener, Transport } from "@acp/core";
import { ClientTranslator } from "./client-translator.ts";
import { createDialectTransport } from "./dialect-transport.ts";
import { Losses } from "./losses.ts";

/** Options of {@link speakGoDialect}. */
export interface SpeakGoDialectOptions {
  /** The version that the agent is told. The document of the dialect names no value. Default: `"1"`. */
  readonly protocolVersion?: string | undefined;
  /**
   * The names of the slash commands that the agent has. A prompt that begins with one is sent as a command, too. Default:
   * every prompt that looks like one (`/name …`), since agents of the dialect do not tell their commands.
   */
  readonly commands?: readonly string[] | undefined;
  /**
   * Called with diagnostics of type `translation`: they tell what a translation leaves out. Default with `withGoAgents`:
   * the listener of the connection, else that of the definition.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * A transport for a client, over which an agent of the Go dialect looks like an official one.
 *
 * A turn that ends with the stop reason `error` rejects with a `RequestError` (`-32603`), like an official one that has
 * failed. `session/cancel` goes out as a request. What the dialect has no place for is left out or put into words, with a
 * diagnostic.
 */
export function speakGoDialect(transport: Transport, options?: SpeakGoDialectOptions): Transport {
  const { commands, onDiagnostic } = options ?? {};
  const protocolVersion = options?.protocolVersion ?? "1";
  const losses = new Losses(onDiagnostic);
  return createDialectTransport(
    transport,
    losses,
    (link) => new ClientTranslator(link, losses, { protocolVersion, commands }),
  );
}

/**
 * The same client, for agents of the Go dialect: `await spawnAgent(withGoAgents(client), { command })`.
 * See {@link speakGoDialect}.
 */
export function withGoAgents<A, C>(
  client: ClientDefinition<A, C>,
  options?: SpeakGoDialectOptions,
): ClientDefinition<A, C> {
  return {
    ...client,
    connect: (transport, connectOptions) => {
      const onDiagnostic = options?.onDiagnostic ?? connectOptions?.onDiagnostic ?? client.onDiagnostic;
      return client.connect(speakGoDialect(transport, { ...options, onDiagnostic }), connectOptions);
    },
  };
}
