import type { AgentDefinition, DiagnosticListener, IncomingLimits, Transport } from "@acp/core";
import { asyncDispose, guardListener, incomingLimits, type IncomingRequest } from "@acp/core/internal";
import { HeldPrompts } from "../held-prompts.ts";
import { peerAt, type ProxyPeer } from "../proxy-peer.ts";
import { callIntercept, type Forward, type ProxyMessage } from "../relay-end.ts";
import { ChainLink } from "./chain-link.ts";
import { refuse, refuseUninitialized } from "./chain-methods.ts";
import { initializeProxyMethod, successorMethod } from "./successor-envelope.ts";

/** The context of an intercept. */
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
 * Decides about a message. For a request, the intercept returns the answer, or throws as any handler may. It may call
 * `forward` never, once or more often, with the message that came or another one. A notification that it does not forward
 * is discarded.
 */
export type ChainIntercept<S = undefined> = (
  message: ProxyMessage,
  forward: Forward,
  context: ChainProxyContext<S>,
) => unknown;

/** Options of {@link createChainProxy}. */
export interface ChainProxyOptions<S> extends IncomingLimits {
  /** Makes the `state` of the context: what the proxy keeps while a chain runs. Called once for each conductor. */
  readonly state?: (() => S) | undefined;
  /**
   * Called with the requests and notifications from the client's side. `proxy/initialize` arrives as `initialize`.
   * Default: passes all on.
   */
  readonly fromClient?: ChainIntercept<S> | undefined;
  /** Called with those from the successor. Default: passes all on. */
  readonly fromSuccessor?: ChainIntercept<S> | undefined;
  /** Receives the diagnostics. Default: none, but `serveStdio` writes errors to stderr. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * Makes a proxy of a chain: a program that a conductor starts between a client and an agent. Like `createProxy`, it passes
 * on what it does not know. Unlike that, it does not start its successor: its one connection, with the conductor, carries
 * both directions. Unstable, as `proxy/initialize` and `proxy/successor` are.
 *
 * A client that starts it without a conductor gets an error that says so.
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
 *
 * @throws {UsageError} for a limit that is neither a whole number from 1 on nor `Infinity`.
 */
export function createChainProxy<S = undefined>(options: ChainProxyOptions<S>): AgentDefinition {
  incomingLimits(options ?? {});
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

/** A proxy with the connection to its conductor. */
class RunningProxy<S> {
  readonly link: ChainLink;
  readonly #options: ChainProxyOptions<S>;
  readonly #report: DiagnosticListener;
  readonly #context: Omit<ChainProxyContext<S>, "signal">;
  #isInitialized = false;

  constructor(transport: Transport, options: ChainProxyOptions<S>, report: DiagnosticListener) {
    this.#options = options;
    this.#report = report;
    const allowed = [initializeProxyMethod, successorMethod];
    this.link = new ChainLink({ transport, role: "agent", allowed, report, limits: incomingLimits(options) });
    const { near, successor } = this.link;
    near.join(successor);
    // Without the option, `S` is undefined.
    const state = options.state?.() as S;
    this.#context = { client: peerAt(near), successor: peerAt(successor), state };
    const prompts = new HeldPrompts();
    near.decide = (message, forward, request) => {
      if (request !== undefined && message.method === initializeProxyMethod)
        return this.#initialize({ ...message, method: "initialize" }, forward, request);
      if (!this.#isInitialized || message.method === "initialize") return this.#refuse(message);
      const decide = (passing: Forward): unknown => this.#decide(options.fromClient, message, passing, request);
      return prompts.watch(message, forward, decide);
    };
    successor.decide = (message, forward, request) =>
      this.#isInitialized ? this.#decide(options.fromSuccessor, message, forward, request) : this.#refuse(message);
    this.link.connection.start();
  }

  async #initialize(message: ProxyMessage, forward: Forward, request: IncomingRequest): Promise<unknown> {
    if (this.#isInitialized) throw refuse("This proxy was initialized already");
    // Set now: the next messages may be passed on right after it.
    this.#isInitialized = true;
    try {
      return await this.#decide(this.#options.fromClient, message, forward, request);
    } catch (error) {
      this.#isInitialized = false;
      throw error;
    }
  }

  #decide(
    intercept: ChainIntercept<S> | undefined,
    message: ProxyMessage,
    forward: Forward,
    request: IncomingRequest | undefined,
  ): unknown {
    if (!intercept) return forward(message);
    return callIntercept(intercept, message, forward, this.#context, request ?? this.link.connection);
  }

  #refuse({ kind, method }: ProxyMessage): void {
    if (kind === "request") throw refuseUninitialized(method);
    const message = `The notification ${method} came before ${initializeProxyMethod}, and was discarded`;
    this.#report({ type: "rule", level: "warning", message, method, rule: "INIT-01" });
  }
}
