import type { ClientDefinition, DiagnosticListener, Transport } from "@acp/core";
import { ClientTranslator } from "./client-translator.ts";
import { createDialectTransport } from "./dialect-transport.ts";
import { Losses } from "./losses.ts";
import { requireObject, requireStart } from "@acp/core/internal";

/** Options of {@link speakGoDialect}. */
export interface SpeakGoDialectOptions {
  /** The version for the agent. The document of the dialect names no value. Default: `"1"`. */
  readonly protocolVersion?: string | undefined;
  /**
   * The names of the agent's slash commands. A prompt that begins with one is sent as a command, too. Default: every prompt
   * of the form `/name …`, since the dialect has no list of commands.
   */
  readonly commands?: readonly string[] | undefined;
  /**
   * Receives diagnostics of type `translation` about what is lost. Default with `withGoAgents`: the listener of the
   * connection, else that of the definition.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * A client's transport that makes an agent of the Go dialect look like an official one.
 *
 * A turn with the stop reason `error` rejects with a `RequestError` (`-32603`), like an official turn that has failed.
 * `session/cancel` is sent as a request. The transport converts to text or leaves out what the dialect cannot express, with a
 * diagnostic.
 */
export function speakGoDialect(transport: Transport, options?: SpeakGoDialectOptions): Transport {
  requireStart(transport, "speakGoDialect takes a transport");
  const { commands, onDiagnostic } = options ?? {};
  const protocolVersion = options?.protocolVersion ?? "1";
  const losses = new Losses(onDiagnostic);
  return createDialectTransport(
    transport,
    losses,
    (link) => new ClientTranslator(link, losses, { protocolVersion, commands }),
  );
}

/** The client, for agents of the Go dialect: `await spawnAgent(withGoAgents(client), { command })`. See {@link speakGoDialect}. */
export function withGoAgents<A, C>(
  client: ClientDefinition<A, C>,
  options?: SpeakGoDialectOptions,
): ClientDefinition<A, C> {
  requireObject(client, "withGoAgents() takes a client first", "connect");
  return {
    ...client,
    connect: (transport, connectOptions) => {
      const onDiagnostic = options?.onDiagnostic ?? connectOptions?.onDiagnostic ?? client.onDiagnostic;
      return client.connect(speakGoDialect(transport, { ...options, onDiagnostic }), connectOptions);
    },
  };
}
