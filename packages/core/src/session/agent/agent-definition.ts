import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { UsageError } from "../../base/errors.ts";
import { incomingLimits } from "../../rpc/incoming-limits.ts";
import type { AgentRole } from "../../rpc/role.ts";
import { validated } from "../../transport/message-validator.ts";
import type { Transport } from "../../transport/transport.ts";
import { collectHandlers } from "../handler-table.ts";
import { deriveCapabilities } from "../rules/capabilities.ts";
import { type AgentConnection, connectAgent } from "./agent-connection.ts";
import type { AgentDialect } from "./agent-dialect.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { AgentSession } from "./agent-session.ts";

/** An agent, ready to serve any number of connections. */
export interface AgentDefinition {
  /** Lets `spawnAgent`, which expects a client, recognize an agent. */
  readonly role?: "agent" | undefined;
  /** The definition's own listener, if it has one. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
  /** Serves one client over a transport. `onDiagnostic` replaces the definition's own listener. */
  connect(transport: Transport, options?: { readonly onDiagnostic?: DiagnosticListener | undefined }): AgentConnection;
}

/**
 * Makes an agent that speaks a version of the protocol, with the methods of `role`.
 *
 * @throws {UsageError} if handlers, capabilities and login methods contradict each other, or a limit is invalid.
 */
export function defineAgent<S extends AgentSession>(
  dialect: AgentDialect<S>,
  role: AgentRole,
  options: AgentOptions,
): AgentDefinition {
  const { methods, requestsWithoutHandler } = dialect;
  const table = dialect.adaptTable?.(role) ?? role;
  const handlers = collectHandlers(table, options?.handlers ?? {}, methods.initialize);
  if (!handlers.has(methods.prompt)) throw new UsageError(`An agent needs a handler for ${methods.prompt}`);
  // The result of a function is not known yet.
  const authMethods = typeof options.authMethods === "function" ? [] : (options.authMethods ?? []);
  dialect.checkLoginHandlers(authMethods, handlers);
  const handled = new Set([...handlers.keys(), ...requestsWithoutHandler]);
  const capabilities = deriveCapabilities(table, handled, options.capabilities ?? {});
  const limits = incomingLimits(options);
  return {
    role: "agent",
    onDiagnostic: options.onDiagnostic,
    connect(transport, connectOptions) {
      const onDiagnostic = connectOptions?.onDiagnostic ?? options.onDiagnostic;
      return connectAgent({
        dialect,
        table,
        handlers,
        capabilities,
        options,
        limits,
        transport: validated(options.validate, transport, "agent", onDiagnostic),
        onDiagnostic,
      });
    },
  };
}
