import { type AgentDefinition, UsageError } from "@acp/core";
import { asyncDispose, checkLimit, guardListener, incomingLimits } from "@acp/core/internal";
import { type ConductorOptions, RunningChain } from "./running-chain.ts";

/**
 * Makes the conductor of a chain of proxies: an agent for the client. The conductor starts the proxies and the agent when
 * the client sends `initialize`, and carries the messages between them. Unstable, as `proxy/initialize` and
 * `proxy/successor` are.
 *
 * Proxies are initialized with `proxy/initialize`, the agent with `initialize`, each when the component before it passes the
 * request on. All other messages pass as they came, as with `createProxy`: messages of a session stay in order, a slow
 * client slows the agent down, and each connection has its own ids.
 *
 * The whole chain ends when a component ends, breaks its connection or is too late at the start. Then the conductor passes
 * on what the component has sent (proxies have half a second for that), answers pending requests with `-32603` and a
 * message that names the component, and closes everything.
 *
 * ```ts
 * const conductor = createConductor({
 *   proxies: [{ name: "redactor", connect: () => spawnTransport({ command: "redactor" }) }],
 *   agent: { connect: () => spawnTransport({ command: "my-agent" }) },
 * });
 * await serveStdio(conductor);
 * ```
 *
 * @throws {UsageError} if there is neither a proxy nor an agent, `startTimeout` is neither milliseconds from 0 on nor
 * `Infinity`, or a limit is neither a whole number from 1 on nor `Infinity`.
 */
export function createConductor(options: ConductorOptions): AgentDefinition {
  if (!options?.proxies?.length && options?.agent == null)
    throw new UsageError("A conductor needs an agent, or proxies for a longer chain");
  if (options.startTimeout != null) checkLimit("startTimeout", options.startTimeout);
  incomingLimits(options);
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
