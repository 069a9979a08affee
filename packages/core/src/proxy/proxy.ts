/**
 * Stands between a client and an agent, and passes on what it has never heard of.
 *
 * @module
 */
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import { asyncDispose } from "../dispose.ts";
import { ConnectionClosedError } from "../errors.ts";
import type { Awaitable } from "../protocol/methods.ts";
import type { Transport } from "../transport/transport.ts";
import type { AgentConnection, AgentDefinition } from "../v1/agent.ts";
import { ProxyHalf } from "./proxy-half.ts";
import type { Intercept } from "./relay-end.ts";

export type { Forward, Intercept, ProxyMessage } from "./relay-end.ts";

export interface ProxyOptions {
  /**
   * Opens the way to the agent, once for each client. `signal` aborts when that client is gone.
   *
   * What it rejects with is a diagnostic, and the connection with the client is closed.
   */
  connect(options: { readonly signal: AbortSignal }): Awaitable<Transport>;
  /** Sees the client's requests and notifications on their way. Default: all are passed on. */
  readonly fromClient?: Intercept | undefined;
  /** The same for the agent's. */
  readonly fromAgent?: Intercept | undefined;
  /** Told of everything unusual on both sides. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes a proxy: an agent for the client, a client for the agent. It speaks no version of the protocol
 * itself: params, results and errors are passed on as they came, whatever they are, with members, variants and
 * methods that it does not know (COMPAT, EXT), and with what stands beside them in their message. What belongs
 * to JSON-RPC is each side's own: ids, their use in `$/cancel_request` and in questions that belong to a
 * request, limits of size, refusing what is no message. The order of messages within a session is kept, and a
 * slow receiver slows its sender down.
 *
 * ```ts
 * const proxy = createProxy({
 *   connect: () => spawnTransport({ command: "my-agent" }),
 *   fromClient: (message, forward) => {
 *     console.error(message.method);
 *     return forward(message);
 *   },
 * });
 * await serveStdio(proxy);
 * ```
 */
export function createProxy(options: ProxyOptions): AgentDefinition {
  return {
    onDiagnostic: options.onDiagnostic,
    connect: (transport, { onDiagnostic = options.onDiagnostic } = {}) =>
      connectProxy(transport, options, guardListener(onDiagnostic)),
  };
}

function connectProxy(transport: Transport, options: ProxyOptions, report: DiagnosticListener): AgentConnection {
  const half = new ProxyHalf({ transport, role: "agent", intercept: options.fromClient, report });
  const near = half.connection;
  const opening = open();
  async function open(): Promise<void> {
    try {
      const far = await options.connect({ signal: near.signal });
      if (near.signal.aborted) return await far.close();
      const otherHalf = new ProxyHalf({ transport: far, role: "client", intercept: options.fromAgent, report });
      half.end.join(otherHalf.end);
      const other = otherHalf.connection;
      // Once one has ended and what it ran is answered, the other has nobody to talk to.
      void near.closed.then(() => other.close());
      void other.closed.then(() => near.close());
      other.start();
      near.start();
      await other.closed;
    } catch (cause) {
      const error = new ConnectionClosedError("The proxy has no connection with the agent", { cause });
      report({ type: "closed", level: "error", message: error.message, error });
      await near.close();
    }
  }
  const closed = Promise.all([near.closed, opening]).then(() => {});
  const close = async (): Promise<void> => {
    await near.close();
    await closed;
  };
  return { closed, close, [asyncDispose]: close };
}
