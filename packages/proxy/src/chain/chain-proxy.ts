import type { AgentDefinition, DiagnosticListener } from "@acp/core";
import { asyncDispose, guardListener } from "@acp/core/internal";
import type { Forward, ProxyMessage } from "../relay-end.ts";
import type { ProxyPeer } from "../proxy-peer.ts";
import { RunningProxy } from "./running-proxy.ts";

/** What an intercept gets beside the message. */
export interface ChainProxyContext<S> {
  /** Whatever is in front of the proxy: another proxy, or the client. */
  readonly client: ProxyPeer;
  /** Whatever is behind it: another proxy, or the agent. */
  readonly successor: ProxyPeer;
  /** What the `state` option has made for this chain. */
  readonly state: S;
  /** Aborts when the sender cancels the request, or the chain ends. */
  readonly signal: AbortSignal;
}

/**
 * Decides about a message on its way through a proxy of a chain. For a request, what it returns is the answer, and what it
 * throws is answered as in any handler. It may call `forward` never, once, or more often, with the message that came or
 * another one. A notification that it does not forward goes no further.
 */
export type ChainIntercept<S = undefined> = (
  message: ProxyMessage,
  forward: Forward,
  context: ChainProxyContext<S>,
) => unknown;

/** Options of {@link createChainProxy}. */
export interface ChainProxyOptions<S> {
  /** Makes `state` of the context: what the proxy keeps while a chain lives. Called once for each conductor. */
  readonly state?: (() => S) | undefined;
  /**
   * Called with the requests and notifications that come from the client's side. `proxy/initialize` comes as `initialize`.
   * Default: all are passed on.
   */
  readonly fromClient?: ChainIntercept<S> | undefined;
  /** Called with those that come from the successor. Default: all are passed on. */
  readonly fromSuccessor?: ChainIntercept<S> | undefined;
  /** Called with everything unusual. Default: nobody, but `serveStdio` writes errors to stderr. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes a proxy for a chain: a program that a conductor starts between a client and an agent. Like `createProxy` it passes
 * on what it does not know. But it does not start its successor: it has one connection, with the conductor, which carries
 * both directions. Unstable, as `proxy/initialize` and `proxy/successor` are.
 *
 * Started without a conductor, by a client that sends `initialize`, it answers with an error that says so.
 *
 * ```ts
 * const proxy = createChainProxy({
 *   state: () => ({ prompts: 0 }),
 *   fromClient: (message, forward, { state }) => {
 *     if (message.method === "session/prompt") state.prompts++;
 *     return forward(message);
 *   },
 * });
 * await serveStdio(proxy);
 * ```
 */
export function createChainProxy<S = undefined>(options: ChainProxyOptions<S>): AgentDefinition {
  return {
    role: "agent",
    onDiagnostic: options?.onDiagnostic,
    connect(transport, connectOptions) {
      const report = guardListener(connectOptions?.onDiagnostic ?? options?.onDiagnostic);
      const { connection } = new RunningProxy(transport, options ?? {}, report).link;
      const close = (): Promise<void> => connection.close();
      return { closed: connection.closed, close, [asyncDispose]: close };
    },
  };
}
