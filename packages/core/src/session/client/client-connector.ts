import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { UsageError } from "../../base/errors.ts";
import { incomingLimits } from "../../rpc/incoming-limits.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { ClientRole } from "../../rpc/role.ts";
import { validated } from "../../transport/message-validator.ts";
import type { Transport } from "../../transport/transport.ts";
import { collectHandlers } from "../handler-table.ts";
import { deriveCapabilities } from "../rules/capabilities.ts";
import { connectClient } from "./client-connection.ts";
import type { UntypedInterceptor } from "./interceptor.ts";
import { defaultStall, stallLimits } from "./stall-watch.ts";
import { unreadLimits } from "./updates/unread-updates.ts";
import type { ClientOptionMembers } from "./client-options.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import type { LoginOf } from "./client-login.ts";
import type { ClientSession } from "./client-session.ts";

/** Options of one connection. `_meta` is sent with `initialize`. */
export interface ConnectOptions extends MetaOptions {
  /**
   * How long the agent may take to respond to `initialize`, in milliseconds. Default: 60,000. `Infinity` for no limit.
   */
  readonly startTimeout?: number | undefined;
  /**
   * Abort it to stop connecting: `connect` then rejects with its reason. It has no effect once the client is connected.
   */
  readonly signal?: AbortSignal | undefined;
  /** Receives the diagnostics of this connection. Default: the client's own listener receives them. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** A client of any version, ready to connect to any number of agents. `Agent` is the type of a connected agent. */
export interface ClientConnector<out Agent> {
  /** Lets `serveStdio`, which expects an agent, recognize a client. */
  readonly role?: "client" | undefined;
  /** The definition's own listener, if it has one. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
  /**
   * Connects to an agent over a transport and calls `initialize`. Closes the transport if that fails.
   *
   * @throws {TimeoutError} the agent did not respond in time (phase `initialize`).
   * @throws {ProtocolError} the agent speaks another version (INIT-10), or its response breaks the protocol.
   * @throws {RequestError} the agent responded with an error.
   * @throws {ConnectionClosedError} the agent went away.
   * @throws {UsageError} the transport is missing, or `startTimeout` is not a number of milliseconds from 0 or
   * `Infinity`.
   * @throws the reason of `signal` after it aborts.
   */
  connect(transport: Transport, options?: ConnectOptions): Promise<Agent>;
}

/** The options of a client of any version. Their types were checked where they were written. */
interface UntypedOptions<Facts extends AgentFacts> extends ClientOptionMembers<object, UntypedInterceptor> {
  readonly capabilities?: object | undefined;
  readonly handlers?: object | undefined;
  readonly authenticate?: LoginOf<Facts> | undefined;
}

/** Creates a client that speaks the protocol of this table. */
export function createConnector<S extends ClientSession, Facts extends AgentFacts, Agent>(
  dialect: ClientDialect<S, Facts, Agent>,
  table: ClientRole,
  options: UntypedOptions<Facts>,
): ClientConnector<Agent> {
  if (options == null) throw new UsageError("A client needs options: at least `info`, its name and version");
  const handlers = collectHandlers(table, options.handlers ?? {});
  const capabilities = deriveCapabilities(table, new Set(handlers.keys()), options.capabilities ?? {});
  const stall = stallLimits(options.stall, defaultStall);
  const limits = incomingLimits(options);
  const unread = unreadLimits(options.unreadUpdates);
  const interceptors = options.interceptors ?? [];
  for (const one of interceptors) {
    // A function has a method `call` of its own.
    if (typeof one === "object" && (one?.call ?? one?.handle) !== undefined) continue;
    throw new UsageError("An interceptor is an object with a method `call`, `handle`, or both");
  }
  return {
    role: "client",
    onDiagnostic: options.onDiagnostic,
    async connect(transport, connectOptions) {
      const { startTimeout, signal, _meta } = connectOptions ?? {};
      const onDiagnostic = connectOptions?.onDiagnostic ?? options.onDiagnostic;
      return connectClient(dialect, {
        table,
        handlers,
        info: options.info,
        capabilities,
        gate: options.gate ?? "enforce",
        authenticate: options.authenticate,
        transport: validated(options.validate, transport, "client", onDiagnostic),
        onDiagnostic,
        stall,
        limits,
        interceptors,
        unread,
        startTimeout: startTimeout ?? 60_000,
        signal,
        _meta,
      });
    },
  };
}
