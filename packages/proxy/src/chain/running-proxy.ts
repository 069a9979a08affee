import type { DiagnosticListener, Transport } from "@acp/core";
import type { IncomingRequest } from "@acp/core/internal";
import { HeldPrompts } from "../held-prompts.ts";
import type { Forward, ProxyMessage } from "../relay-end.ts";
import { ChainLink } from "./chain-link.ts";
import type { ChainIntercept, ChainProxyContext, ChainProxyOptions } from "./chain-proxy.ts";
import { peerAt } from "../proxy-peer.ts";
import { refuseSecondInitialize, refuseUninitialized } from "./refusals.ts";
import { initializeProxyMethod, successorMethod } from "./successor-envelope.ts";

/** A proxy, and the connection with the conductor that has started it. */
export class RunningProxy<S> {
  readonly link: ChainLink;
  readonly #options: ChainProxyOptions<S>;
  readonly #report: DiagnosticListener;
  readonly #shared: Omit<ChainProxyContext<S>, "signal">;
  readonly #prompts = new HeldPrompts();
  #isInitialized = false;

  constructor(transport: Transport, options: ChainProxyOptions<S>, report: DiagnosticListener) {
    this.#options = options;
    this.#report = report;
    const spoken = [initializeProxyMethod, successorMethod];
    this.link = new ChainLink({ transport, role: "agent", spoken, report });
    const { near, successor } = this.link;
    near.join(successor);
    // Without the option there is none, and `S` is undefined.
    const state = options.state?.() as S;
    this.#shared = { client: peerAt(near), successor: peerAt(successor), state };
    near.decide = (message, forward, request) => this.#fromClient(message, forward, request);
    successor.decide = (message, forward, request) => this.#fromSuccessor(message, forward, request);
    this.link.connection.start();
  }

  #fromClient(message: ProxyMessage, forward: Forward, request: IncomingRequest | undefined): unknown {
    if (request !== undefined && message.method === initializeProxyMethod)
      return this.#initialize({ ...message, method: "initialize" }, forward, request);
    if (!this.#isInitialized || message.method === "initialize") return this.#refuse(message);
    const { fromClient } = this.#options;
    return this.#prompts.watch(message, forward, (passing) => this.#decide(fromClient, message, passing, request));
  }

  #fromSuccessor(message: ProxyMessage, forward: Forward, request: IncomingRequest | undefined): unknown {
    if (!this.#isInitialized) return this.#refuse(message);
    return this.#decide(this.#options.fromSuccessor, message, forward, request);
  }

  async #initialize(message: ProxyMessage, forward: Forward, request: IncomingRequest): Promise<unknown> {
    if (this.#isInitialized) throw refuseSecondInitialize();
    // From here on: what comes right behind it may be passed on right behind it.
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
    const source = request ?? this.link.connection;
    // Made when it is asked for, which most intercepts never do.
    return intercept(message, forward, {
      ...this.#shared,
      get signal() {
        return source.signal;
      },
    });
  }

  #refuse({ kind, method }: ProxyMessage): void {
    if (kind === "request") throw refuseUninitialized(method);
    const message = `The notification ${method} came before ${initializeProxyMethod}, and was left out`;
    this.#report({ type: "rule", level: "warning", message, method, rule: "INIT-01" });
  }
}
