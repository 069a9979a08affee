import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { Transport } from "../../transport/transport.ts";

/** Options of one connection. `_meta` goes into `initialize`. */
export interface ConnectOptions extends MetaOptions {
  /** How long the agent may take to answer `initialize`, in milliseconds; `Infinity` for no limit. Default: 60,000. */
  readonly startTimeout?: number | undefined;
  /** Gives up connecting: `connect` rejects with its reason. Without effect once connected. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the listener of `createClient` for this connection. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/** A client of any version, ready to connect to any number of agents. `Agent` is what it gets to know them as. */
export interface ClientConnector<out Agent> {
  /** So that `serveStdio`, which takes an agent, can tell it from one. */
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
