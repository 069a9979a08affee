import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { UsageError } from "../../base/errors.ts";
import { type IncomingLimits, incomingLimits } from "../../rpc/incoming-limits.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { ClientRole } from "../../rpc/role.ts";
import { type MessageValidator, validated } from "../../transport/message-validator.ts";
import type { Transport } from "../../transport/transport.ts";
import { collectHandlers } from "../handler-table.ts";
import type { GateMode } from "../rules/call-rules.ts";
import { deriveCapabilities } from "../rules/capabilities.ts";
import type { LoginOf } from "./client-calls.ts";
import { connectClient } from "./client-connection.ts";
import { defaultStall, stallLimits, type StallOptions } from "./stall-watch.ts";
import { unreadLimits, type UnreadUpdatesOptions } from "./updates/unread-updates.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import type { ClientSession } from "./client-session.ts";

/** Options of one connection. `_meta` goes into `initialize`. */
export interface ConnectOptions extends MetaOptions {
  /** How long the agent may take to answer `initialize`, in milliseconds; `Infinity` for no limit. Default: 60,000. */
  readonly startTimeout?: number | undefined;
  /** Gives up connecting: `connect` rejects with its reason. Without effect once connected. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the listener of `createClient` for this connection. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** A client of any version, ready to connect to any number of agents. `Agent` is the type of a connected one. */
export interface ClientConnector<out Agent> {
  /** By which `serveStdio`, which takes an agent, recognizes a client. */
  readonly role?: "client" | undefined;
  /** The definition's own listener, if it has one. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
  /**
   * Connects to an agent over a transport and calls `initialize`. If that fails, the transport is closed.
   *
   * @throws {TimeoutError} no answer in time (phase `initialize`).
   * @throws {ProtocolError} the agent speaks another version (INIT-10), or its answer breaks the protocol.
   * @throws {RequestError} the agent answered with an error.
   * @throws {ConnectionClosedError} the agent went away.
   * @throws {UsageError} without a transport, and for a `startTimeout` that is neither milliseconds from 0 on nor `Infinity`.
   * @throws the signal's reason, once `signal` has aborted.
   */
  connect(transport: Transport, options?: ConnectOptions): Promise<Agent>;
}

/** The options of a client of any version. Their types were checked where they were written. */
interface UntypedOptions<Facts extends AgentFacts> extends IncomingLimits {
  readonly info: object;
  readonly capabilities?: object | undefined;
  readonly handlers?: object | undefined;
  readonly gate?: GateMode | undefined;
  readonly authenticate?: LoginOf<Facts> | undefined;
  readonly validate?: MessageValidator | undefined;
  readonly stall?: StallOptions | null | undefined;
  readonly unreadUpdates?: UnreadUpdatesOptions | null | undefined;
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** Makes a client that speaks the protocol of this table. */
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
  return {
    role: "client",
    onDiagnostic: options.onDiagnostic,
    async connect(transport, connectOptions) {
      if (typeof transport?.start !== "function") {
        throw new UsageError(
          "connect takes a transport: of createMemoryTransportPair(), one for each side, for example",
        );
      }
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
        unread,
        startTimeout: startTimeout ?? 60_000,
        signal,
        _meta,
      });
    },
  };
}
