import type { AgentDefinition, Awaitable, DiagnosticListener, Transport } from "@acp/core";
import type { RequestPermissionOutcome, RequestPermissionRequest } from "@acp/schema/v1/types";
import { AgentTranslator } from "./agent-translator.ts";
import { createDialectTransport } from "./dialect-transport.ts";
import { Losses } from "./losses.ts";

/** Options of {@link acceptGoDialect}. */
export interface AcceptGoDialectOptions {
  /** The `cwd` of sessions for which a client gives neither `metadata.workDir` nor `cwd`; absolute. Default: `/`. */
  readonly cwd?: string | undefined;
  /**
   * Decides on permission requests, since a client of the Go dialect cannot be asked. Default, and if it throws: the first
   * option that rejects. A cancelled turn does not wait for it.
   */
  readonly permission?: ((request: RequestPermissionRequest) => Awaitable<RequestPermissionOutcome>) | undefined;
  /**
   * Called with diagnostics of type `translation`: they tell what a translation leaves out. Default with `withGoClients`:
   * the listener of the connection, else that of the definition.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * A transport for an agent that understands both kinds of clients: official ones, whose messages pass untouched, and those
 * of the Go dialect. The first `initialize` tells which it is.
 *
 * To the agent, a client of the Go dialect looks like an official one that advertises nothing. Requests to it are answered
 * here: permission by `permission`, all others with `-32601`. What the dialect has no place for is left out or put into
 * words, with a diagnostic.
 */
export function acceptGoDialect(transport: Transport, options?: AcceptGoDialectOptions): Transport {
  const { permission, onDiagnostic } = options ?? {};
  const cwd = options?.cwd ?? "/";
  const losses = new Losses(onDiagnostic);
  return createDialectTransport(transport, losses, (link) => new AgentTranslator(link, losses, { cwd, permission }));
}

/**
 * The same agent, serving clients of the Go dialect as well as official ones:
 * `await serveStdio(withGoClients(agent))`. See {@link acceptGoDialect}.
 */
export function withGoClients(agent: AgentDefinition, options?: AcceptGoDialectOptions): AgentDefinition {
  return {
    ...agent,
    connect: (transport, connectOptions) => {
      const onDiagnostic = options?.onDiagnostic ?? connectOptions?.onDiagnostic ?? agent.onDiagnostic;
      return agent.connect(acceptGoDialect(transport, { ...options, onDiagnostic }), connectOptions);
    },
  };
}
