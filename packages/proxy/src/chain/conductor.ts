import { type AgentDefinition, type Awaitable, type DiagnosticListener, type Transport, UsageError } from "@acp/core";
import { asyncDispose, checkLimit, guardListener } from "@acp/core/internal";
import { RunningChain } from "./running-chain.ts";

/** One program of a chain: a proxy, or the agent at its end. */
export interface ChainComponent {
  /** What it is called in errors and diagnostics. Default: `proxy 1`, `proxy 2`, …, `agent`. */
  readonly name?: string | undefined;
  /**
   * Opens the connection to it: called once for each client. {@link ConductorOptions.startTimeout} limits how long that may
   * take. `signal` aborts when the chain has ended.
   */
  connect(options: { readonly signal: AbortSignal }): Awaitable<Transport>;
}

/** Options of {@link createConductor}. */
export interface ConductorOptions {
  /** The proxies, from the client's side to the agent's. None: messages go straight to the agent. */
  readonly proxies: readonly ChainComponent[];
  /**
   * The agent at the end. Without one the conductor is itself a proxy, for another conductor to start: what its last
   * proxy sends to its successor goes to the conductor's own.
   */
  readonly agent?: ChainComponent | undefined;
  /**
   * How long the start may stand still, in milliseconds. It gets on whenever a component is there, answers its initialize or
   * passes it on. If nothing of that happens for so long, the chain ends, and the component that was asked last is named.
   * Default: 50,000, so that a client that waits a minute is told why; `Infinity` for no limit.
   */
  readonly startTimeout?: number | undefined;
  /**
   * Called with everything unusual; messages begin with the name of the component that they are about. Default: nobody, but
   * `serveStdio` writes errors to stderr.
   */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes the conductor of a chain of proxies: an agent for the client, which starts the proxies and the agent with the
 * client's `initialize` and carries the messages between them. Unstable, as `proxy/initialize` and `proxy/successor` are.
 *
 * A proxy is initialized with `proxy/initialize`, the agent with `initialize`; each component is initialized when the
 * one before it passes the request on. Everything else goes through as it came, as with `createProxy`: the order within
 * a session is kept, a slow client slows the agent down, ids and `$/cancel_request` are each connection's own.
 *
 * When one component ends, is not there in time or breaks its connection, the whole chain ends: requests without an answer
 * are answered with `-32603` and a message that names the component, and everything is closed. What a component has sent
 * before its end comes first; proxies have half a second to pass it on.
 *
 * ```ts
 * const conductor = createConductor({
 *   proxies: [{ name: "redactor", connect: () => spawnTransport({ command: "redactor" }) }],
 *   agent: { connect: () => spawnTransport({ command: "my-agent" }) },
 * });
 * await serveStdio(conductor);
 * ```
 *
 * @throws {UsageError} if there is neither a proxy nor an agent, or `startTimeout` is neither milliseconds from 0 on nor
 * `Infinity`.
 */
export function createConductor(options: ConductorOptions): AgentDefinition {
  if (!options?.proxies?.length && options?.agent == null)
    throw new UsageError("A conductor needs an agent, or proxies for a longer chain");
  if (options.startTimeout != null) checkLimit("startTimeout", options.startTimeout);
  return {
    role: "agent",
    onDiagnostic: options.onDiagnostic,
    connect(transport, connectOptions) {
      const report = guardListener(connectOptions?.onDiagnostic ?? options.onDiagnostic);
      const chain = new RunningChain(transport, options, report);
      const close = (): Promise<void> => chain.close();
      return { closed: chain.closed, close, [asyncDispose]: close };
    },
  };
}
