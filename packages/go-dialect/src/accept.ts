import type { AgentDefinition, Awaitable, DiagnosticListener, Transport } from "@acp/core";
import type { RequestPermissionOutcome, RequestPermissionRequest } from "@acp/schema/v1/types";
import { AgentTranslator } from "./agent-translator.ts";
import { createDialectTransport } from "./dialect-transport.ts";
import { Losses } from "./losses.ts";
import { requireObject, requireStart } from "@acp/core/internal";

/** Options of {@link acceptGoDialect}. */
export interface AcceptGoDialectOptions {
  /** The absolute `cwd` of sessions without `metadata.workDir` and `cwd`. Default: `/`. */
  readonly cwd?: string | undefined;
  /**
   * Answers permission requests, which the Go dialect does not have. Default, and if it throws: the first option that
   * rejects. A cancelled turn does not wait for it.
   */
  readonly permission?: ((request: RequestPermissionRequest) => Awaitable<RequestPermissionOutcome>) | undefined;
  /**
   * Receives diagnostics of type `translation` about what is lost. Default with `withGoClients`: the listener of the
   * connection, else that of the definition.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * An agent's transport for official clients, whose messages pass unchanged, and for clients of the Go dialect. The first
 * `initialize` decides which it is.
 *
 * To the agent, a client of the Go dialect looks like an official one without capabilities. The transport answers requests to
 * it: permission by `permission`, all others with `-32601`. It converts to text or leaves out what the dialect cannot express,
 * with a diagnostic.
 */
export function acceptGoDialect(transport: Transport, options?: AcceptGoDialectOptions): Transport {
  requireStart(transport, "acceptGoDialect takes a transport");
  const { permission, onDiagnostic } = options ?? {};
  const cwd = options?.cwd ?? "/";
  const losses = new Losses(onDiagnostic);
  return createDialectTransport(transport, losses, (link) => new AgentTranslator(link, losses, { cwd, permission }));
}

/**
 * The agent, for clients of the Go dialect as well as official ones: `await serveStdio(withGoClients(agent))`. See
 * {@link acceptGoDialect}.
 */
export function withGoClients(agent: AgentDefinition, options?: AcceptGoDialectOptions): AgentDefinition {
  requireObject(agent, "withGoClients() takes an agent first", "connect");
  return {
    ...agent,
    connect: (transport, connectOptions) => {
      const onDiagnostic = options?.onDiagnostic ?? connectOptions?.onDiagnostic ?? agent.onDiagnostic;
      return agent.connect(acceptGoDialect(transport, { ...options, onDiagnostic }), connectOptions);
    },
  };
}
